-- AlterTable
ALTER TABLE "webhooks"
  ADD COLUMN "warnings" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "last_notice" TEXT,
  ADD COLUMN "last_notice_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "webhook_notices" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL,
    "http_status" INTEGER,
    "error_class" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_notices_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "webhook_notices_account_id_webhook_id_created_at_id_idx" ON "webhook_notices"("account_id", "webhook_id", "created_at" DESC, "id" DESC);

-- Below this line: what Prisma's schema language cannot say.
ALTER TABLE webhook_notices
  ADD CONSTRAINT webhook_notices_kind_check CHECK (kind IN ('failing', 'deactivated', 'recovered'));
ALTER TABLE webhook_notices ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON webhook_notices TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_notices TO svc_tenant;
