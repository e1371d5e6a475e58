import type { Instant } from "@svc/domain";
import { dataSources, timePrecisions } from "@svc/domain/observations";
import { correspondingMilestone, type RawEvent } from "@svc/domain/transport-events";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

/** docs/contract/reference.md 2.5. Read with its container, so it has no URL. */
export const RawEventResource = resourceObject(
  "raw_event",
  {
    event: z.string().nullable().describe("The milestone that the event is, or will be once it is actual. Null: none."),
    original_event: z.string().describe("Event type, code and classifier as the source sent them (DCSA)."),
    timestamp: dateTime,
    estimated: z.boolean().describe("Whether the event is planned or estimated."),
    timezone: z.string().nullable().describe("IANA time zone name of the place"),
    location_name: z
      .string()
      .nullable()
      .describe(
        "Name of the place as the source gave it, otherwise the known name or the code. Null: the source named no place.",
      ),
    location_locode: z.string().nullable().describe("UN/LOCODE, as the source gave it"),
    vessel_name: z.string().nullable(),
    vessel_imo: z.string().nullable(),
    voyage_number: z.string().nullable(),
    data_source: z.enum(dataSources),
    data_provider_name: z.string().nullable().describe("Name of the shipping line; null for other sources."),
    data_provider_code: z.string().nullable().describe("SCAC of the shipping line; null for other sources."),
    index: z.number().int().describe("Position in the chronological list of the container's raw events, from 0."),
    actual_at: dateTime.nullable().describe("Deprecated: use timestamp. Null for planned and estimated events."),
    actual_on: z.iso.date().nullable().describe("Deprecated: use timestamp. Calendar day of actual_at at the place."),
    estimated_at: dateTime.nullable().describe("Deprecated: use timestamp. Null for actual events."),
    estimated_on: z.iso
      .date()
      .nullable()
      .describe("Deprecated: use timestamp. Calendar day of estimated_at at the place."),
    will_occur_at: dateTime
      .nullable()
      .describe("The timestamp of a planned or estimated event; null for actual events."),
    created_at: dateTime.describe("When the service received it."),
    invalidated_at: dateTime.nullable().describe("When the source retracted it."),
    invalidated: z.boolean().describe("Whether the source retracted it."),
    reason: z.string().nullable().describe("Reason of a change or a delay, as the source gave it."),
    time_precision: z
      .enum(timePrecisions)
      .describe("exact; local_assumed: the source gave no offset; date_only: the source gave the day only."),
    facility_code: z.string().nullable().describe("Code of the terminal or depot, as the source gave it."),
    container_number: z
      .string()
      .nullable()
      .describe("Container number as the source gave it. Null: the event is one of the whole shipment."),
  },
  {
    container: toOne("container"),
    location: toOneOrNull("port", "metro_area"),
    vessel: toOneOrNull("vessel"),
  },
)
  .omit({ links: true })
  .meta({ id: "RawEvent" });

export type RawEventResource = z.infer<typeof RawEventResource>;

/** The local date in ISO format, which is that of the Swedish locale. UTC where the time zone is unknown. */
function dayAt(time: Instant, timeZone: string | null): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timeZone ?? "UTC" }).format(new Date(time));
}

export function rawEventResource(raw: RawEvent): RawEventResource {
  const { fact } = raw;
  const { call, place } = fact;
  const isDeparture = fact.code === "DEPA" || fact.code === "LOAD";
  const [first, second] = isDeparture
    ? [call?.exportVoyage, call?.importVoyage]
    : [call?.importVoyage, call?.exportVoyage];
  const isFromCarrier = fact.dataSource === "shipping_line";
  const isActual = fact.classifier === "ACT";
  const day = dayAt(fact.eventAt, raw.timeZone);
  return {
    id: raw.id,
    type: "raw_event",
    attributes: {
      event: raw.event ?? correspondingMilestone(fact, raw.voyage),
      original_event: `${fact.eventType} ${fact.code} ${fact.classifier}`,
      timestamp: fact.eventAt,
      estimated: !isActual,
      timezone: raw.timeZone,
      location_name: place.name ?? raw.placeName ?? place.locode,
      location_locode: place.locode,
      vessel_name: call?.vessel?.name ?? null,
      vessel_imo: call?.vessel?.imo ?? null,
      voyage_number: first ?? second ?? null,
      data_source: fact.dataSource,
      data_provider_name: isFromCarrier ? raw.carrierName : null,
      data_provider_code: isFromCarrier ? raw.carrierScac : null,
      index: raw.index,
      actual_at: isActual ? fact.eventAt : null,
      actual_on: isActual ? day : null,
      estimated_at: isActual ? null : fact.eventAt,
      estimated_on: isActual ? null : day,
      will_occur_at: isActual ? null : fact.eventAt,
      created_at: raw.observedAt,
      // A retraction is a separate observation: its time is that of the event's invalidation.
      invalidated_at: fact.retracted ? raw.observedAt : null,
      invalidated: fact.retracted,
      reason: fact.reason,
      time_precision: fact.timePrecision,
      facility_code: place.facilityCode,
      container_number: fact.containerNumber,
    },
    relationships: {
      container: linkage("container", raw.containerId),
      location: raw.portId === null ? linkage("metro_area", raw.metroAreaId) : linkage("port", raw.portId),
      vessel: linkage("vessel", raw.vesselId),
    },
  };
}
