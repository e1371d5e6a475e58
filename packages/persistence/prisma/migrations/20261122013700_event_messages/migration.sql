-- CreateTable
CREATE TABLE "event_messages" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "connection_id" UUID,
    "scac" TEXT NOT NULL,
    "form" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "content_hash" BYTEA NOT NULL,
    "event_count" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "applied_count" INTEGER NOT NULL DEFAULT 0,
    "unknown_count" INTEGER NOT NULL DEFAULT 0,
    "skipped_count" INTEGER NOT NULL DEFAULT 0,
    "new_fact_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "event_messages_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "event_messages_account_id_channel_scac_content_hash_key" ON "event_messages"("account_id", "channel", "scac", "content_hash");

CREATE INDEX event_messages_due ON event_messages (due_at) WHERE due_at IS NOT NULL;

-- As every table of accounts (docs/adr/0012).
ALTER TABLE event_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON event_messages TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON event_messages TO svc_tenant;
