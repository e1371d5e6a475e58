import { dayMs, type Instant, msBetween } from "../instant.ts";
import { daysBetween, localDateOrUtc } from "../local-time.ts";

/** An arrival at one place. */
export interface PlaceArrival {
  readonly etaAt: Instant | null;
  /** The first estimate for this place. */
  readonly originalEtaAt: Instant | null;
  readonly ataAt: Instant | null;
  /** IANA time zone of the place; null: not known, then UTC. */
  readonly timeZone: string | null;
}

/** The arrivals of a container or shipment; of a split shipment, those of its last container. */
export interface JourneyArrivals {
  readonly port: PlaceArrival;
  readonly destination: PlaceArrival;
  /** False: all containers are picked up, or tracking has ended, unless because nothing more was reported. */
  readonly isAwaited: boolean;
}

/** Whole days since an estimate passed; null: it lies ahead, or passed less than a day ago. */
export function daysPast(etaAt: Instant, now: Instant): number | null {
  const days = Math.floor(msBetween(etaAt, now) / dayMs);
  return days >= 1 ? days : null;
}

/** The place that is awaited next: the port of discharge, then the inland destination. Null: none. */
function awaitedArrival({ port, destination, isAwaited }: JourneyArrivals): PlaceArrival | null {
  if (!isAwaited || destination.ataAt !== null) return null;
  return port.ataAt === null && port.etaAt !== null ? port : destination;
}

/** Whole days since the unreported arrival was estimated for the place that is awaited next; null: not overdue. */
export function overdueDays(arrivals: JourneyArrivals, now: Instant): number | null {
  const etaAt = awaitedArrival(arrivals)?.etaAt ?? null;
  return etaAt && daysPast(etaAt, now);
}

/**
 * Days by which a time is later than an earlier estimate: the difference of their local dates, which are shown beside
 * it. Null: one of them is not known.
 */
export function daysLater(estimate: Instant | null, at: Instant | null, timeZone: string | null): number | null {
  if (estimate === null || at === null) return null;
  const dateOf = (time: Instant) => localDateOrUtc(time, timeZone);
  return daysBetween(dateOf(estimate), dateOf(at));
}

const estimatedDelayDays = ({ etaAt, originalEtaAt, ataAt, timeZone }: PlaceArrival): number | null =>
  daysLater(originalEtaAt, ataAt ?? etaAt, timeZone);

/**
 * Days by which the arrival is later than first estimated, inland where there is a first estimate of it; negative:
 * earlier. An overdue arrival is late at least by the days that have passed since the first estimate for the awaited
 * place. Null: not known. Lists follow the same rule in SQL (`delayDays` of overview-arrivals.ts).
 */
export function delayDays(arrivals: JourneyArrivals, now: Instant): number | null {
  const { port } = arrivals;
  const destination = { ...arrivals.destination, timeZone: arrivals.destination.timeZone ?? port.timeZone };
  const estimated = estimatedDelayDays(destination) ?? estimatedDelayDays(port);
  const awaited = awaitedArrival({ ...arrivals, destination });
  if (awaited?.etaAt == null || overdueDays(arrivals, now) === null) return estimated;
  const passed = daysLater(awaited.originalEtaAt ?? awaited.etaAt, now, awaited.timeZone);
  return estimated === null ? passed : Math.max(estimated, passed ?? 0);
}

const noArrival: PlaceArrival = { etaAt: null, originalEtaAt: null, ataAt: null, timeZone: null };

/** `delayDays` of one place. */
export const placeDelayDays = (
  { isAwaited, ...port }: PlaceArrival & Pick<JourneyArrivals, "isAwaited">,
  now: Instant,
): number | null => delayDays({ port, destination: noArrival, isAwaited }, now);
