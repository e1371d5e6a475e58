import type { Instant } from "@svc/domain";
import type { DerivedTransportEvent } from "@svc/domain/derivation";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import type { ResolvedPlaces } from "../reference-data/resolve-places.ts";
import type { Sql, Statement } from "../sql.ts";

export interface NewTransportEvent {
  readonly id: string;
  readonly containerId: string;
  readonly event: DerivedTransportEvent;
  /** Id of the corrected row. */
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
    INSERT INTO transport_events (account_id, id, shipment_id, container_id, event, milestone_key, occurred_at,
      time_zone,
      time_precision, port_id, metro_area_id, terminal_id, location_locode, vessel_id, voyage_number, data_source,
      observation_id, previous_version_id, created_at)
    SELECT $1, e.id, $2, e."containerId", e.event, e."milestoneKey", e."occurredAt", e."timeZone", e."timePrecision",
      e."portId", e."metroAreaId", e."terminalId", e."locationLocode", e."vesselId", e."voyageNumber", e."dataSource",
      e."sourceEventId", e."previousVersionId", $3
    FROM jsonb_to_recordset($4::jsonb) AS e(id uuid, "containerId" uuid, event text, "milestoneKey" text,
      "occurredAt" timestamptz, "timeZone" text, "timePrecision" text, "portId" uuid, "metroAreaId" uuid,
      "terminalId" uuid, "locationLocode" text, "vesselId" uuid, "voyageNumber" text, "dataSource" text,
      "sourceEventId" uuid, "previousVersionId" uuid)`,
};

/** A milestone with its key, as it is stored and as the API lists it. */
type MilestoneEvent = ListedTransportEvent & { readonly milestoneKey: string };

function toEvent(
  { id, containerId, event, previousVersionId }: NewTransportEvent,
  shipmentId: string,
  { places, now }: { readonly places: ResolvedPlaces; readonly now: Instant },
): MilestoneEvent {
  const mention = { place: event.place, kind: event.placeKind };
  const place = places.place(mention);
  const terminal = places.terminal(mention);
  return {
    id,
    shipmentId,
    containerId,
    event: event.event,
    milestoneKey: event.milestoneKey,
    occurredAt: event.occurredAt,
    timeZone: place?.timeZone ?? null,
    timePrecision: event.timePrecision,
    portId: place?.kind === "port" ? place.id : null,
    metroAreaId: place?.kind === "metro_area" ? place.id : null,
    terminalId: terminal?.id ?? null,
    terminalKind: terminal?.kind ?? null,
    locationLocode: event.place.locode,
    vesselId: event.vessel === null ? null : places.vesselId(event.vessel),
    voyageNumber: event.voyageNumber,
    dataSource: event.dataSource,
    sourceEventId: event.observationId,
    previousVersionId,
    invalidatedAt: null,
    value: null,
    createdAt: now,
  };
}

/** Invalidates old versions, then adds the new ones. Rows of the timeline are immutable. @returns the new events. */
export async function writeTimeline(
  sql: Sql,
  accountId: string,
  shipmentId: string,
  timeline: { readonly invalidated: readonly InvalidatedEvent[]; readonly added: readonly NewTransportEvent[] },
  context: { readonly places: ResolvedPlaces; readonly now: Instant },
): Promise<readonly MilestoneEvent[]> {
  const { invalidated, added } = timeline;
  const { now } = context;
  if (invalidated.length > 0) await sql.execute(invalidate, [accountId, now, JSON.stringify(invalidated)]);
  const events = added.map((event) => toEvent(event, shipmentId, context));
  if (events.length > 0) await sql.execute(insert, [accountId, shipmentId, now, JSON.stringify(events)]);
  return events;
}
