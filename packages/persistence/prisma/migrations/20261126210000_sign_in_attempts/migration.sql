-- CreateTable
CREATE TABLE "sign_in_attempts" (
    "key_sha256" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("key_sha256")
);

-- CreateIndex
CREATE INDEX "sign_in_attempts_until_idx" ON "sign_in_attempts"("until");
