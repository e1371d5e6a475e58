import type { Instant, LocalDate } from "@svc/domain";
import { intervalShare, type PredictedArrival, type PredictionAccuracy } from "@svc/domain/eta-predictions";
import { dataSources, timePrecisions } from "@svc/domain/observations";
import { type Freshness, freshnesses } from "@svc/domain/tracking";
import { type JourneyStep, planBases, type TransportEvent, transportEventNames } from "@svc/domain/transport-events";
import { z } from "zod";
import { dateTime, linkage, toMany, toOne, toOneOrNull } from "../resource.ts";
import { toWireEventName } from "../transport-events/transport-event-resource.ts";

const text = z.string().nullable();
const time = dateTime.nullable();
const eventNames = transportEventNames.map(toWireEventName) as [string, ...string[]];

/** A milestone of the journey, actual or to come. */
const Step = z
  .object({
    event: z.enum(eventNames),
    location_name: text.describe("Name of the port or inland place, else its UN/LOCODE."),
    terminal_name: text,
    vessel_name: text,
    voyage_number: text,
    timezone: text.describe("IANA time zone name of the place."),
    actual_at: time.describe("Actual time. Null: in the future."),
    time_precision: z.enum(timePrecisions).describe("Precision of `actual_at`."),
    estimated_at: time.describe("The newest estimate before the event, or the current one."),
    planned_at: time.describe(
      "The newest plan; of the arrival at the port of discharge, and without a plan, the first estimate.",
    ),
    plan_basis: z.enum(planBases).nullable().describe("Whether `planned_at` is a plan or the first estimate."),
    data_source: z.enum(dataSources).nullable().describe("Source of the report. Null: in the future."),
  })
  .meta({ id: "JourneyStep" });

const LastEvent = z.object({
  container_id: z.uuid(),
  event: z.enum(eventNames),
  timestamp: time,
  timezone: text,
  time_precision: z.enum(timePrecisions),
});

const RelatedShipment = z.object({
  id: z.uuid(),
  bill_of_lading_number: z.string(),
  shared_ref_numbers: z.array(z.string()).describe("Shared reference numbers as this shipment writes them."),
});

const PredictedEta = z
  .object({
    eta_at: dateTime,
    earliest_at: dateTime,
    latest_at: dateTime,
    interval_share: z.number().describe("Share of arrivals that the interval is meant to contain."),
    predicted_at: dateTime,
    position_at: dateTime.describe("Time of the vessel position that it follows from."),
    distance_left_nm: z.number(),
    speed_knots: z.number().describe("Speed in knots, smoothed over two days."),
    mean_absolute_error_hours: z
      .number()
      .nullable()
      .describe("Mean absolute error of earlier predictions on the lane at this lead time, in hours."),
    carrier_mean_absolute_error_hours: z
      .number()
      .nullable()
      .describe("Mean absolute error of the carrier's ETA at the same moments, in hours."),
  })
  .meta({ id: "PredictedEta" });

/** Summary of a shipment for a tracking page. Its id is the shipment's. */
export const TrackingSummaryResource = z
  .object({
    id: z.uuid().describe("The id of the shipment."),
    type: z.literal("tracking_summary"),
    attributes: z.object({
      freshness: z
        .enum(freshnesses)
        .nullable()
        .describe("Freshness of the tracking data, as in GET /shipments/{id}/freshness."),
      last_changed_at: dateTime
        .nullable()
        .describe("Time of the last change that the carrier reported. Null with `as_of`."),
      journey: z
        .array(Step)
        .describe("Steps of the container in the relationship `container`: past ones, then planned ones."),
      predicted_eta: PredictedEta.nullable().describe(
        "Arrival at the port of discharge, predicted from vessel positions. It never changes `pod_eta_at`. Null unless " +
          "earlier predictions on the lane were closer to the arrivals than the carrier's ETA.",
      ),
      last_events: z.array(LastEvent).describe("The last milestone of each container that has one."),
      last_free_days_by_rule: z
        .array(z.object({ container_id: z.uuid(), day: z.iso.date() }))
        .describe(
          "Last free days by demurrage rules of the account, in the time zone of the port of discharge. Empty with `as_of`.",
        ),
      related_shipments: z
        .array(RelatedShipment)
        .describe("The newest other shipments with a reference number of this one, on themselves or on a container."),
      change_times: z
        .array(dateTime)
        .describe(
          "When an attribute or a milestone of the shipment or of `container` changed, oldest first; values for `as_of`. The " +
            "newest 500.",
        ),
    }),
    relationships: z.object({
      shipment: toOne("shipment"),
      containers: toMany("container"),
      container: toOneOrNull("container").describe("Selected container, else the first by number."),
      exceptions: toMany("exception").describe("Open exceptions, the most urgent first."),
      eta_changes: toMany("field_change").describe("Changes of `pod_eta_at`, the latest first."),
      provenance: toMany("provenance").describe("Data sources of the shipment's attributes."),
      container_provenance: toMany("provenance").describe("Data sources of the attributes of `container`."),
    }),
  })
  .meta({ id: "TrackingSummary" });

export type TrackingSummaryResource = z.infer<typeof TrackingSummaryResource>;

interface TrackingSummary {
  readonly shipmentId: string;
  readonly containerIds: readonly string[];
  readonly containerId: string | null;
  readonly freshness: Freshness | null;
  readonly lastChangedAt: Instant | null;
  readonly journey: readonly JourneyStep[];
  readonly predictedEta:
    | (PredictedArrival & { readonly predictedAt: Instant; readonly accuracy: PredictionAccuracy })
    | null;
  readonly lastEvents: readonly (Pick<TransportEvent, "event" | "occurredAt" | "timeZone" | "timePrecision"> & {
    readonly containerId: string;
  })[];
  readonly lastFreeDaysByRule: readonly { readonly containerId: string; readonly day: LocalDate }[];
  readonly relatedShipments: readonly {
    readonly id: string;
    readonly number: string;
    readonly references: readonly string[];
  }[];
  readonly changeTimes: readonly Instant[];
  readonly exceptionIds: readonly string[];
  readonly etaChangeIds: readonly string[];
  readonly provenanceIds: readonly string[];
  readonly containerProvenanceIds: readonly string[];
}

const toStep = (step: JourneyStep): z.infer<typeof Step> => ({
  event: toWireEventName(step.event),
  location_name: step.placeName,
  terminal_name: step.terminalName,
  vessel_name: step.vesselName,
  voyage_number: step.voyageNumber,
  timezone: step.timeZone,
  actual_at: step.actualAt,
  time_precision: step.timePrecision,
  estimated_at: step.estimatedAt,
  planned_at: step.plannedAt,
  plan_basis: step.planBasis,
  data_source: step.dataSource,
});

const toPredictedEta = ({ accuracy, ...arrival }: NonNullable<TrackingSummary["predictedEta"]>) => ({
  eta_at: arrival.etaAt,
  earliest_at: arrival.earliestAt,
  latest_at: arrival.latestAt,
  interval_share: intervalShare,
  predicted_at: arrival.predictedAt,
  position_at: arrival.positionAt,
  distance_left_nm: Math.round(arrival.distanceLeftNm),
  speed_knots: Math.round(arrival.speedKnots * 10) / 10,
  mean_absolute_error_hours: accuracy.meanAbsoluteErrorHours,
  carrier_mean_absolute_error_hours: accuracy.carrierMeanAbsoluteErrorHours,
});

const toLinkages = <const Type extends string>(type: Type, ids: readonly string[]) => ({
  data: ids.map((id) => ({ type, id })),
});

export function trackingSummaryResource(summary: TrackingSummary): TrackingSummaryResource {
  return {
    id: summary.shipmentId,
    type: "tracking_summary",
    attributes: {
      freshness: summary.freshness,
      last_changed_at: summary.lastChangedAt,
      journey: summary.journey.map(toStep),
      predicted_eta: summary.predictedEta && toPredictedEta(summary.predictedEta),
      last_events: summary.lastEvents.map(({ containerId, event, occurredAt, timeZone, timePrecision }) => ({
        container_id: containerId,
        event: toWireEventName(event),
        timestamp: occurredAt,
        timezone: timeZone,
        time_precision: timePrecision,
      })),
      last_free_days_by_rule: summary.lastFreeDaysByRule.map(({ containerId, day }) => ({
        container_id: containerId,
        day,
      })),
      related_shipments: summary.relatedShipments.map(({ id, number, references }) => ({
        id,
        bill_of_lading_number: number,
        shared_ref_numbers: [...references],
      })),
      change_times: [...summary.changeTimes],
    },
    relationships: {
      shipment: linkage("shipment", summary.shipmentId),
      containers: toLinkages("container", summary.containerIds),
      container: linkage("container", summary.containerId),
      exceptions: toLinkages("exception", summary.exceptionIds),
      eta_changes: toLinkages("field_change", summary.etaChangeIds),
      provenance: toLinkages("provenance", summary.provenanceIds),
      container_provenance: toLinkages("provenance", summary.containerProvenanceIds),
    },
  };
}
