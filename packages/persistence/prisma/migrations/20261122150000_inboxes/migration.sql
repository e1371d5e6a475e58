-- CreateTable
CREATE TABLE "inboxes" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "answer" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inboxes_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "inbox_requests" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "headers" JSONB NOT NULL,
    "body" TEXT NOT NULL,
    "body_bytes" INTEGER NOT NULL,
    "answer" INTEGER NOT NULL,

    CONSTRAINT "inbox_requests_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "inboxes_key_key" ON "inboxes"("key");

-- CreateIndex
CREATE INDEX "inboxes_expires_at_idx" ON "inboxes"("expires_at");

-- AddForeignKey
ALTER TABLE "inbox_requests" ADD CONSTRAINT "inbox_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "inboxes"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Below this line: what Prisma's schema language cannot say.
ALTER TABLE inboxes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON inboxes TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON inboxes TO svc_tenant;
ALTER TABLE inbox_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON inbox_requests TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON inbox_requests TO svc_tenant;
