import type { Instant } from "../instant.ts";
import { type Observation, reportTimeOf } from "../observations/observation.ts";
import type { TransportEventName } from "./transport-event.ts";

/** A raw event with the milestone that follows from it. */
export interface ReportedEvent {
  readonly event: TransportEventName | null;
  readonly portId: string | null;
  readonly metroAreaId: string | null;
  readonly observedAt: Instant;
  readonly fact: Pick<
    Observation,
    | "code"
    | "classifier"
    | "eventAt"
    | "statedAt"
    | "messageReceivedAt"
    | "isEmpty"
    | "place"
    | "call"
    | "containerNumber"
    | "sourceEventId"
    | "retracted"
  >;
}

/** The moves for which a shipment has an estimate of its own. */
const estimatedMoves = {
  vessel_departed: { code: "DEPA", isAtSea: true },
  vessel_arrived: { code: "ARRI", isAtSea: true },
  arrived_at_inland_destination: { code: "ARRI", isAtSea: false },
} as const;

type EstimatedEvent = keyof typeof estimatedMoves;

export const isEstimatedEvent = (event: TransportEventName): event is EstimatedEvent =>
  Object.hasOwn(estimatedMoves, event);

/** Estimates of a move in the container's own reports: the newest one with its vessel, and the first one. */
interface OwnEstimate {
  readonly at: Instant;
  readonly first: Instant;
  readonly vesselName: string | null;
  readonly voyageNumber: string | null;
}

/**
 * The estimate of a move at a place that is reported for this container by its number; null: there is none.
 * @param reports of the container, latest received first.
 */
export function ownEstimate(
  event: EstimatedEvent,
  placeId: string | null,
  reports: readonly ReportedEvent[],
): OwnEstimate | null {
  const { code, isAtSea } = estimatedMoves[event];
  const ahead = reports.filter(({ portId, metroAreaId, fact }, index) => {
    const isHere = placeId !== null && (portId === placeId || metroAreaId === placeId);
    const isMove = fact.code === code && ((fact.call?.mode ?? null) === "VESSEL") === isAtSea;
    return isHere && isMove && fact.classifier !== "ACT" && !isRetracted(fact, reports.slice(0, index));
  });
  if (!ahead.some(({ fact }) => fact.containerNumber !== null)) return null;
  const newest = ahead.filter(({ fact }) => fact.classifier === "EST").reduce(newer, null) ?? ahead.reduce(newer, null);
  const first = ahead.at(-1);
  if (newest === null || first === undefined) return null;
  const { eventAt, call } = newest.fact;
  return {
    at: eventAt,
    first: first.fact.eventAt,
    vesselName: call?.vessel?.name ?? null,
    voyageNumber: call?.importVoyage ?? null,
  };
}

/** The one that the source made later; of simultaneous ones the first, which was received later. */
const newer = (known: ReportedEvent | null, next: ReportedEvent): ReportedEvent =>
  known === null || reportTimeOf(next.fact, next.observedAt) > reportTimeOf(known.fact, known.observedAt)
    ? next
    : known;

/** Whether the source took it back, with one of the reports that were received `later`. */
function isRetracted(fact: ReportedEvent["fact"], later: readonly ReportedEvent[]): boolean {
  const isSame = ({ fact: other }: ReportedEvent) =>
    other.code === fact.code &&
    other.containerNumber === fact.containerNumber &&
    (other.sourceEventId === null
      ? other.classifier === fact.classifier && other.eventAt === fact.eventAt
      : other.sourceEventId === fact.sourceEventId);
  return fact.retracted || later.some((other) => other.fact.retracted && isSame(other));
}
