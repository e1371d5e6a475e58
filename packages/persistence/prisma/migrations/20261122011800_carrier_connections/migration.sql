-- AlterTable
ALTER TABLE "tracking_subjects" ADD COLUMN "connection_id" UUID;

-- CreateTable
CREATE TABLE "carrier_connections" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scac" TEXT NOT NULL,
    "credential_kind" TEXT NOT NULL,
    "sealed_credentials" BYTEA NOT NULL,
    "sealed_push_secret" BYTEA NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "carrier_connections_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "carrier_access" (
    "credential" TEXT NOT NULL,
    "account_id" UUID,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "openings" INTEGER NOT NULL DEFAULT 0,
    "open_until" TIMESTAMPTZ(3),
    "probe_until" TIMESTAMPTZ(3),
    "throttles" INTEGER NOT NULL DEFAULT 0,
    "paused_until" TIMESTAMPTZ(3),
    "next_free_at" TIMESTAMPTZ(3),
    "day" TIMESTAMPTZ(3),
    "day_count" INTEGER NOT NULL DEFAULT 0,
    "answer_count" BIGINT NOT NULL DEFAULT 0,
    "failure_count" BIGINT NOT NULL DEFAULT 0,
    "rejection_count" BIGINT NOT NULL DEFAULT 0,
    "throttle_count" BIGINT NOT NULL DEFAULT 0,
    "unrecognized_count" BIGINT NOT NULL DEFAULT 0,
    "skipped_event_count" BIGINT NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "carrier_access_pkey" PRIMARY KEY ("credential")
);

-- CreateIndex
CREATE UNIQUE INDEX "carrier_connections_id_key" ON "carrier_connections"("id");

-- CreateIndex
CREATE UNIQUE INDEX "carrier_connections_account_id_scac_key" ON "carrier_connections"("account_id", "scac");

-- What is due by each credential: one that is paused, open or spent is skipped without reading its backlog.
CREATE INDEX tracking_subjects_due_by_credential ON tracking_subjects (COALESCE(connection_id::text, scac), next_poll_at)
  WHERE next_poll_at IS NOT NULL;
DROP INDEX tracking_subjects_due;

-- A subject is asked for by its account's own connection from the start, whichever statement makes it.
CREATE FUNCTION use_own_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.connection_id := (
    SELECT id FROM carrier_connections WHERE account_id = NEW.account_id AND scac = NEW.scac AND active);
  RETURN NEW;
END $$;
CREATE TRIGGER tracking_subjects_use_own_connection BEFORE INSERT ON tracking_subjects
  FOR EACH ROW EXECUTE FUNCTION use_own_connection();

-- As every table of accounts (docs/adr/0012). The rows of carrier_access that are nobody's are seen by no account.
DO $$
DECLARE tenant_table regclass;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['carrier_connections', 'carrier_access']::regclass[] LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY own_account ON %s TO svc_tenant USING (account_id = NULLIF(current_setting(''svc.account_id'', true), '''')::uuid)',
      tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO svc_tenant', tenant_table);
  END LOOP;
END $$;
