-- The transaction that wrote a row last. Exports read rows in its order, so that a reader misses no change (ADR 0013).
-- Present rows get the id 3, the first one of a server: they come before every later change.

-- AlterTable
ALTER TABLE "shipments" ADD COLUMN "change_transaction_id" BIGINT NOT NULL DEFAULT 3;
ALTER TABLE "shipments" ALTER COLUMN "change_transaction_id" SET DEFAULT ((pg_current_xact_id())::text)::bigint;

-- AlterTable
ALTER TABLE "containers" ADD COLUMN "change_transaction_id" BIGINT NOT NULL DEFAULT 3;
ALTER TABLE "containers" ALTER COLUMN "change_transaction_id" SET DEFAULT ((pg_current_xact_id())::text)::bigint;

-- AlterTable
ALTER TABLE "transport_events" ADD COLUMN "change_transaction_id" BIGINT NOT NULL DEFAULT 3;
ALTER TABLE "transport_events" ALTER COLUMN "change_transaction_id" SET DEFAULT ((pg_current_xact_id())::text)::bigint;

-- AlterTable
ALTER TABLE "container_change_events" ADD COLUMN "change_transaction_id" BIGINT NOT NULL DEFAULT 3;
ALTER TABLE "container_change_events" ALTER COLUMN "change_transaction_id" SET DEFAULT ((pg_current_xact_id())::text)::bigint;

-- CreateIndex
CREATE INDEX "shipments_account_id_change_transaction_id_id_idx" ON "shipments"("account_id", "change_transaction_id", "id");

-- CreateIndex
CREATE INDEX "containers_account_id_change_transaction_id_id_idx" ON "containers"("account_id", "change_transaction_id", "id");

-- CreateIndex
CREATE INDEX "transport_events_account_id_change_transaction_id_id_idx" ON "transport_events"("account_id", "change_transaction_id", "id");

-- CreateIndex
CREATE INDEX "container_change_events_account_id_change_transaction_id_id_idx" ON "container_change_events"("account_id", "change_transaction_id", "id");

-- Below this line: what Prisma's schema language cannot say.
CREATE FUNCTION set_change_transaction_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.change_transaction_id := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;

CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON shipments
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();
CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON containers
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();
CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON transport_events
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();
CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON container_change_events
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();

CREATE OR REPLACE VIEW listed_transport_events WITH (security_invoker = true) AS
SELECT account_id, id, shipment_id, container_id, event, occurred_at, time_zone, time_precision, location_locode, port_id,
  metro_area_id, terminal_id, vessel_id, voyage_number, data_source, observation_id, previous_version_id, invalidated_at,
  NULL::timestamptz(3) AS value, created_at, change_transaction_id
FROM transport_events
UNION ALL
SELECT account_id, id, shipment_id, container_id, event, occurred_at, time_zone, 'exact', location_locode, port_id,
  metro_area_id, terminal_id, vessel_id, voyage_number, data_source, NULL::uuid, NULL::uuid, NULL::timestamptz(3),
  value, created_at, change_transaction_id
FROM container_change_events;
