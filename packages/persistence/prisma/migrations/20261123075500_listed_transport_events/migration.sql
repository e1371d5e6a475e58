-- CreateTable
CREATE TABLE "container_change_events" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "container_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3),
    "time_zone" TEXT,
    "location_locode" TEXT,
    "port_id" UUID,
    "metro_area_id" UUID,
    "terminal_id" UUID,
    "vessel_id" UUID,
    "voyage_number" TEXT,
    "data_source" TEXT NOT NULL,
    "value" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "container_change_events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "container_change_events_account_id_container_id_created_at__idx" ON "container_change_events"("account_id", "container_id", "created_at" DESC, "id" DESC);

-- AlterTable
ALTER TABLE "observations" ADD COLUMN "container_number" TEXT GENERATED ALWAYS AS (fact ->> 'containerNumber') STORED;

-- DropIndex
DROP INDEX "observations_subject_id_id_idx";

-- CreateIndex
CREATE INDEX "observations_subject_id_container_number_id_idx" ON "observations"("subject_id", "container_number", "id");

-- Below this line: what Prisma's schema language cannot say.
ALTER TABLE container_change_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON container_change_events TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON container_change_events TO svc_tenant;

-- The transport events that the API lists: milestones, and changes of estimates, deadlines and appointments. The policies of
-- both tables hold, because the view reads with the rights of the role that asks.
CREATE VIEW listed_transport_events WITH (security_invoker = true) AS
SELECT account_id, id, shipment_id, container_id, event, occurred_at, time_zone, time_precision, location_locode, port_id,
  metro_area_id, terminal_id, vessel_id, voyage_number, data_source, observation_id, previous_version_id, invalidated_at,
  NULL::timestamptz(3) AS value, created_at
FROM transport_events
UNION ALL
SELECT account_id, id, shipment_id, container_id, event, occurred_at, time_zone, 'exact', location_locode, port_id,
  metro_area_id, terminal_id, vessel_id, voyage_number, data_source, NULL::uuid, NULL::uuid, NULL::timestamptz(3),
  value, created_at
FROM container_change_events;
GRANT SELECT ON listed_transport_events TO svc_tenant;
