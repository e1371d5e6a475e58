import type { ContainerStatus } from "../containers/container.ts";
import type { ContainerLocation, DerivedContainer, DerivedShipment } from "../derivation/derived-shipment.ts";
import type { Instant } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";

/** The stage of a container, as far as polling depends on it. */
export type ContainerStage =
  | "booked"
  | "at_origin"
  | "at_sea"
  | "at_transshipment"
  | "arrived"
  | "landed"
  | "on_rail"
  | "taken_out"
  | "returned";

export interface ContainerProgress {
  readonly stage: ContainerStage;
  /** Gated out full where the carrier's part of the journey ends. */
  readonly finalFullOutAt: Instant | null;
  /** Returned empty: the journey has ended. */
  readonly terminatedAt: Instant | null;
  readonly inlandEtaAt: Instant | null;
}

/** The input of polling, stop rules and the map. JSON, because it is stored between polls that change nothing. */
export interface TrackingProgress {
  readonly bookingCancelledAt: Instant | null;
  readonly etdAt: Instant | null;
  readonly etaAt: Instant | null;
  readonly ataAt: Instant | null;
  readonly destinationAtaAt: Instant | null;
  /** The latest time of any estimate. */
  readonly latestEstimateAt: Instant | null;
  readonly containers: readonly ContainerProgress[];
  /** When the carrier made its newest report. Null: it does not state it. Missing: stored by a version before it. */
  readonly reportedAt?: Instant | null;
  /** Places for the map of all voyages, by number of the container. Missing: stored by a version before it. */
  readonly locations?: Readonly<Record<string, ContainerLocation>>;
}

/** When the carrier made a report: not after we received it, whatever its clock shows. */
function reportTime({ dataSource, statedAt, observedAt, sinceUnknown }: Observation): Instant | null {
  if (dataSource !== "shipping_line" || statedAt === null || sinceUnknown === true) return null;
  return statedAt < observedAt ? statedAt : observedAt;
}

/** @param observations those that the shipment is derived from. */
export function trackingProgress(
  { attributes, containers, bookingCancelledAt }: DerivedShipment,
  observations: readonly Observation[],
): TrackingProgress {
  const { polEtdAt, podEtaAt, podAtaAt, destinationAtaAt, destinationEtaAt } = attributes;
  const estimates = [polEtdAt, podEtaAt, destinationEtaAt, ...containers.map((one) => one.attributes.indEtaAt)];
  return {
    bookingCancelledAt: bookingCancelledAt ?? null,
    etdAt: polEtdAt?.value ?? null,
    etaAt: podEtaAt?.value ?? null,
    ataAt: podAtaAt?.value ?? null,
    destinationAtaAt: destinationAtaAt?.value ?? null,
    latestEstimateAt: latestInstant(estimates.map((estimate) => estimate?.value ?? null)),
    containers: containers.map(containerProgress),
    reportedAt: latestInstant(observations.map(reportTime)),
    locations: Object.fromEntries(containers.map(({ number, location }) => [number, location])),
  };
}

/**
 * When the carrier last reported a change, as the carrier dates it: after a gap of polls, a change that we read today
 * may be days old. Null: it has reported nothing.
 */
export function carrierReportedAt({
  progress,
  lastChangedAt,
}: {
  readonly progress: TrackingProgress | null;
  readonly lastChangedAt: Instant | null;
}): Instant | null {
  const reportedAt = progress?.reportedAt ?? null;
  return reportedAt !== null && lastChangedAt !== null && reportedAt < lastChangedAt ? reportedAt : lastChangedAt;
}

export function latestInstant(times: readonly (Instant | null)[]): Instant | null {
  return times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
}

function containerProgress(container: DerivedContainer): ContainerProgress {
  const { currentStatus, podFullOutAt, finalDestinationFullOutAt, emptyTerminatedAt, indEtaAt } = container.attributes;
  const isOut = currentStatus.value === "picked_up" || currentStatus.value === "delivered";
  const fullOutAt = finalDestinationFullOutAt ?? (isOut ? podFullOutAt : undefined);
  return {
    stage: stageOf(container),
    finalFullOutAt: fullOutAt?.value ?? null,
    terminatedAt: emptyTerminatedAt?.value ?? null,
    inlandEtaAt: indEtaAt?.value ?? null,
  };
}

/** Statuses of a discharged container that is not picked up. */
export const landedStatuses = [
  "available",
  "not_available",
  "awaiting_inland_transfer",
  "grounded",
] as const satisfies readonly ContainerStatus[];

const stageByStatus: Readonly<Partial<Record<ContainerStatus, ContainerStage>>> = {
  empty_returned: "returned",
  delivered: "taken_out",
  picked_up: "taken_out",
  on_rail: "on_rail",
  ...Object.fromEntries(landedStatuses.map((status) => [status, "landed" as const])),
};

function stageOf({ attributes, events }: DerivedContainer): ContainerStage {
  const status = attributes.currentStatus.value;
  const stage = stageByStatus[status];
  if (stage !== undefined) return stage;
  if (status !== "on_ship") return events.length > 0 ? "at_origin" : "booked";
  if (attributes.podArrivedAt !== undefined) return "arrived";
  const last = events.at(-1)?.event;
  const isWaiting = last === "transshipment_arrived" || last === "transshipment_discharged";
  return isWaiting ? "at_transshipment" : "at_sea";
}
