-- CreateTable
CREATE TABLE "mention_mails" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "user_id" UUID NOT NULL,
    "author_user_id" UUID,
    "subject_type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "subject_name" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mention_mails_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "mention_mails_next_attempt_at_idx" ON "mention_mails"("next_attempt_at");

ALTER TABLE mention_mails
  ADD CONSTRAINT mention_mails_subject_type_check CHECK (subject_type IN ('shipment', 'exception'));

-- Tenant isolation (docs/adr/0012).
ALTER TABLE mention_mails ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON mention_mails TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON mention_mails TO svc_tenant;
