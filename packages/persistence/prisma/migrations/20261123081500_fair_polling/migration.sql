-- Accounts that share a credential are served in turn: a loose index scan finds them.
CREATE INDEX tracking_subjects_shared_due_by_account ON tracking_subjects (scac, account_id, next_poll_at)
  WHERE next_poll_at IS NOT NULL AND connection_id IS NULL;

-- An account has connected, changed or disconnected a carrier: its subjects follow in batches.
CREATE TABLE "carrier_connection_changes" (
    "account_id" UUID NOT NULL,
    "scac" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "done_kind" TEXT NOT NULL DEFAULT '',
    "done_number" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "carrier_connection_changes_pkey" PRIMARY KEY ("account_id","scac")
);
ALTER TABLE carrier_connection_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON carrier_connection_changes TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON carrier_connection_changes TO svc_tenant;
