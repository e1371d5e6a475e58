import type { DerivedTransportEvent, Instant } from "@svc/domain";
import type { ResolvedPlaces } from "../reference-data/resolve-places.ts";
import type { Sql, Statement } from "../sql.ts";

export interface NewTransportEvent {
  readonly id: string;
  readonly containerId: string;
  readonly event: DerivedTransportEvent;
  /** The row that this one corrects. */
  readonly previousVersionId: string | null;
}

export interface InvalidatedEvent {
  readonly id: string;
  readonly reason: "corrected" | "withdrawn";
}

const invalidate: Statement = {
  name: "tracking.invalidate-events",
  text: `
    UPDATE transport_events e SET invalidated_at = $2, invalidation_reason = i.reason
    FROM jsonb_to_recordset($3::jsonb) AS i(id uuid, reason text)
    WHERE e.account_id = $1 AND e.id = i.id AND e.invalidated_at IS NULL`,
};

const insert: Statement = {
  name: "tracking.insert-events",
  text: `
    INSERT INTO transport_events (account_id, id, shipment_id, container_id, event, milestone_key, occurred_at, time_zone,
      time_precision, port_id, metro_area_id, terminal_id, location_locode, vessel_id, voyage_number, data_source,
      observation_id, previous_version_id, created_at)
    SELECT $1, e.id, $2, e."containerId", e.event, e."milestoneKey", e."occurredAt", e."timeZone", e."timePrecision",
      e."portId", e."metroAreaId", e."terminalId", e."locationLocode", e."vesselId", e."voyageNumber", e."dataSource",
      e."observationId", e."previousVersionId", $3
    FROM jsonb_to_recordset($4::jsonb) AS e(id uuid, "containerId" uuid, event text, "milestoneKey" text,
      "occurredAt" timestamptz, "timeZone" text, "timePrecision" text, "portId" uuid, "metroAreaId" uuid,
      "terminalId" uuid, "locationLocode" text, "vesselId" uuid, "voyageNumber" text, "dataSource" text,
      "observationId" uuid, "previousVersionId" uuid)`,
};

function toRow({ id, containerId, event, previousVersionId }: NewTransportEvent, places: ResolvedPlaces) {
  const mention = { place: event.place, kind: event.placeKind };
  const place = places.place(mention);
  return {
    id,
    containerId,
    event: event.event,
    milestoneKey: event.milestoneKey,
    occurredAt: event.occurredAt,
    timeZone: place?.timeZone ?? null,
    timePrecision: event.timePrecision,
    portId: place?.kind === "port" ? place.id : null,
    metroAreaId: place?.kind === "metro_area" ? place.id : null,
    terminalId: places.terminal(mention)?.id ?? null,
    locationLocode: event.place.locode,
    vesselId: event.vessel === null ? null : places.vesselId(event.vessel),
    voyageNumber: event.voyageNumber,
    dataSource: event.dataSource,
    observationId: event.observationId,
    previousVersionId,
  };
}

/** Invalidates old versions, then adds the new ones: no row of the timeline is ever changed in what it says. */
export async function writeTimeline(
  sql: Sql,
  accountId: string,
  shipmentId: string,
  timeline: { readonly invalidated: readonly InvalidatedEvent[]; readonly added: readonly NewTransportEvent[] },
  context: { readonly places: ResolvedPlaces; readonly now: Instant },
): Promise<void> {
  const { invalidated, added } = timeline;
  const { places, now } = context;
  if (invalidated.length > 0) await sql.execute(invalidate, [accountId, now, JSON.stringify(invalidated)]);
  if (added.length === 0) return;
  const rows = added.map((event) => toRow(event, places));
  await sql.execute(insert, [accountId, shipmentId, now, JSON.stringify(rows)]);
}
