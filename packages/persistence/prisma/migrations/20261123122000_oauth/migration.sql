-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "oauth_grant_id" TEXT;

-- CreateTable
CREATE TABLE "oauth_records" (
    "model" TEXT NOT NULL,
    "id_sha256" BYTEA NOT NULL,
    "account_id" UUID,
    "grant_id" TEXT,
    "uid" TEXT,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_records_pkey" PRIMARY KEY ("model","id_sha256")
);

-- CreateIndex
CREATE INDEX "oauth_records_account_id_idx" ON "oauth_records"("account_id");

-- CreateIndex
CREATE INDEX "oauth_records_grant_id_idx" ON "oauth_records"("grant_id");

-- CreateIndex
CREATE INDEX "oauth_records_uid_idx" ON "oauth_records"("uid");

-- CreateIndex
CREATE INDEX "oauth_records_expires_at_idx" ON "oauth_records"("expires_at");

-- CreateIndex
CREATE INDEX "api_tokens_oauth_grant_id_idx" ON "api_tokens"("oauth_grant_id");

-- Below this line: what Prisma's schema language cannot express.
-- As other tables of identity: read before the account is known, and not by svc_tenant.
ALTER TABLE oauth_records ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON oauth_records TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
