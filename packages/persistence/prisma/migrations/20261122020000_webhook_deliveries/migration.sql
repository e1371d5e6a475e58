-- What is still to be delivered moves out of the notifications (docs/adr/0017): a notification is written once and never
-- changed, and a delivery is a narrow row that is there until its notification has been received.

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "account_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "delivery_status" TEXT NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "recovered" BOOLEAN NOT NULL DEFAULT false,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("account_id","notification_id")
);

-- CreateTable
CREATE TABLE "webhook_claims" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "notification_ids" UUID[],
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "begun_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_claims_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "webhook_claims_account_id_webhook_id_idx" ON "webhook_claims"("account_id", "webhook_id");

-- AlterTable
ALTER TABLE "webhooks"
  ADD COLUMN "concurrency" INTEGER NOT NULL DEFAULT 5;

-- What an older release left. Its claims end here: what was only queued is due as before, and what had been begun may or may
-- not have been received, which the log says.
INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status, attempt_count, attempts_before,
                                recovered, next_attempt_at, created_at)
SELECT account_id, id, webhook_id, event_id, delivery_status, attempt_count, attempts_before, recovered, next_attempt_at, created_at
  FROM webhook_notifications WHERE delivery_status <> 'succeeded';

INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, outcome, error_class,
                              error_detail, url, request_headers, next_attempt_at)
SELECT n.account_id, uuidv7(), n.id, n.webhook_id, n.attempt_count, n.attempt_started_at, 'unknown', 'worker_lost',
       'The sending process ended before it could say what came of the request.', COALESCE(w.url, ''), '{}', n.next_attempt_at
  FROM webhook_notifications n LEFT JOIN webhooks w ON w.account_id = n.account_id AND w.id = n.webhook_id
 WHERE n.attempt_started_at IS NOT NULL
    ON CONFLICT DO NOTHING;

-- AlterTable
ALTER TABLE "webhook_notifications"
  DROP COLUMN "delivery_status",
  DROP COLUMN "attempt_count",
  DROP COLUMN "attempts_before",
  DROP COLUMN "recovered",
  DROP COLUMN "next_attempt_at",
  DROP COLUMN "claim_id",
  DROP COLUMN "lease_until",
  DROP COLUMN "attempt_started_at",
  DROP COLUMN "delivered_at";
ALTER TABLE webhook_notifications RESET (fillfactor);

-- Attempts, one table for each week, so that old ones go by dropping a table. One index: the attempts of a notification. The
-- time of the attempt is in the key because the parts are made by it; the same attempt always has the same time.
ALTER TABLE webhook_attempts RENAME TO webhook_attempts_before;
ALTER TABLE webhook_attempts_before RENAME CONSTRAINT webhook_attempts_pkey TO webhook_attempts_before_pkey;

CREATE TABLE "webhook_attempts" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "attempt_number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER,
    "outcome" TEXT NOT NULL,
    "http_status" INTEGER,
    "error_class" TEXT,
    "error_detail" TEXT,
    "url" TEXT NOT NULL,
    "request_headers" JSON NOT NULL,
    "response_headers" JSON,
    "response_body" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("account_id","notification_id","attempt_number","started_at")
) PARTITION BY RANGE (started_at);

-- In a schema of their own: nobody but the owner reads a part by itself.
CREATE SCHEMA webhook_attempts_parts;
CREATE TABLE webhook_attempts_parts.others PARTITION OF webhook_attempts DEFAULT;

-- Makes the part of a week that begins on the Monday; answers whether it was missing.
CREATE FUNCTION create_webhook_attempts_part(monday date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  part text := format('webhook_attempts_parts.week_%s', to_char(monday, 'YYYY_MM_DD'));
BEGIN
  IF to_regclass(part) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %s PARTITION OF webhook_attempts FOR VALUES FROM (%L) TO (%L)', part,
                 monday::timestamp AT TIME ZONE 'UTC', (monday + 7)::timestamp AT TIME ZONE 'UTC');
  RETURN true;
END $$;

-- Drops the parts of the weeks that ended longer ago; answers how many.
CREATE FUNCTION drop_webhook_attempts_parts(retention_days integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  part regclass;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT inhrelid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'webhook_attempts'::regclass AND relname LIKE 'week\_%'
       AND to_date(substr(relname, 6), 'YYYY_MM_DD') + 7 <= (now() AT TIME ZONE 'UTC')::date - retention_days
  LOOP
    EXECUTE format('DROP TABLE %s', part);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

SELECT create_webhook_attempts_part(week::date)
  FROM generate_series(
    date_trunc('week', LEAST(now(), (SELECT min(started_at) FROM webhook_attempts_before)) AT TIME ZONE 'UTC'),
    now() AT TIME ZONE 'UTC' + interval '4 weeks', interval '1 week') AS week;

INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome, http_status,
                              error_class, error_detail, url, request_headers, response_headers, response_body, next_attempt_at)
SELECT account_id, id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome, http_status, error_class,
       error_detail, url, request_headers::json, response_headers::json, response_body, next_attempt_at
  FROM webhook_attempts_before;
DROP TABLE webhook_attempts_before;

-- ----------------------------------------------------------------------------------------------------------------
-- Below this line: what Prisma's schema language cannot say.

-- What waits for each webhook, and when the next one is due. Neither names claim_id, and a claim changes nothing else: its
-- update stays on the page and writes no index, for which the pages have room.
CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (account_id, webhook_id, recovered, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (account_id, notification_id DESC) WHERE delivery_status = 'failed';
ALTER TABLE webhook_deliveries SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE webhook_claims SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
                                autovacuum_vacuum_cost_delay = 0);

ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_delivery_status_check CHECK (delivery_status IN ('pending', 'failed')),
  ADD CONSTRAINT webhook_deliveries_next_attempt_check CHECK ((delivery_status = 'pending') = (next_attempt_at IS NOT NULL));

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['webhook_deliveries', 'webhook_claims', 'webhook_attempts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY own_account ON %I TO svc_tenant USING (account_id = NULLIF(current_setting(''svc.account_id'', true), '''')::uuid)',
      tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO svc_tenant', tenant_table);
  END LOOP;
END $$;
