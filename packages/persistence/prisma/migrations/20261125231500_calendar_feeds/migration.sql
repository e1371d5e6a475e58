-- CreateTable
CREATE TABLE "calendar_feeds" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token_sha256" BYTEA NOT NULL,
    "view_id" UUID,
    "last_read_at" TIMESTAMPTZ(3),
    "renewed_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feeds_token_sha256_key" ON "calendar_feeds"("token_sha256");

-- CreateIndex
CREATE INDEX "calendar_feeds_account_id_user_id_idx" ON "calendar_feeds"("account_id", "user_id");

-- CreateIndex
CREATE INDEX "calendar_feeds_account_id_view_id_idx" ON "calendar_feeds"("account_id", "view_id");

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "memberships"("account_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_account_id_view_id_fkey" FOREIGN KEY ("account_id", "view_id") REFERENCES "saved_views"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE calendar_feeds ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON calendar_feeds TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON calendar_feeds TO svc_tenant;

CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON calendar_feeds FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('calendar_feed', 'name', 'name,view_id', 'token_sha256');
