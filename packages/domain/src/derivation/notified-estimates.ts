import { dayMs, hourMs, type Instant, msBetween } from "../instant.ts";
import type { DerivedShipment } from "./derived-shipment.ts";
import type {
  NotifiedEstimateChange,
  NotifiedEstimateField,
  NotifiedEstimates,
  StoredFacts,
  StoredShipment,
} from "./tracking-changes.ts";

/** Smaller changes are not notified: carriers revise an arrival eleven times on average. */
const estimateThresholdMs = hourMs;
/** The threshold while the estimated time is far ahead. */
const farEstimateThresholdMs = 12 * hourMs;
/** Minimum lead time, from the newest observation, that counts as far ahead. */
const farEstimateMs = 7 * dayMs;

/** Estimates to notify of; null: no notification. */
export interface EstimateNotifications {
  readonly polEtdAt: Instant | null;
  readonly podEtaAt: Instant | null;
  /** Notified ETAs at the port of discharge, by number of the container. */
  readonly containerPodEtaAt: ReadonlyMap<string, Instant>;
  /** `indEtaAt` of containers with a notification, by container number. */
  readonly indEtaAt: ReadonlyMap<string, Instant>;
}

/**
 * The estimates to notify subscribers of, and the last notified values to store. An estimate is compared with the last
 * notified value, not with the last reported one, because small changes in one direction add up.
 */
export function planEstimateNotifications(
  stored: StoredShipment,
  derived: DerivedShipment,
): { readonly notifications: EstimateNotifications; readonly notifiedEstimates: readonly NotifiedEstimateChange[] } {
  const observedAt = derived.lastObservedAt ?? null;
  const { polEtdAt, polAtdAt, podEtaAt, podAtaAt } = derived.attributes;
  const plan = (field: NotifiedEstimateField, estimate: Omit<Estimate, "field" | "observedAt">): Planned =>
    planEstimateNotification({ ...estimate, field, observedAt });
  const [knownEtd, knownEta] = [knownEstimate(stored, "polEtdAt"), knownEstimate(stored, "podEtaAt")];
  const etd = plan("polEtdAt", { known: knownEtd, now: polEtdAt?.value ?? null, isOver: polAtdAt !== undefined });
  const eta = plan("podEtaAt", { known: knownEta, now: podEtaAt?.value ?? null, isOver: podAtaAt !== undefined });
  const storedByNumber = new Map(stored.containers.map((one) => [one.number, one]));
  const containers = derived.containers.map(({ number, attributes }) => {
    const container = storedByNumber.get(number) ?? null;
    const { podEtaAt: own, podArrivedAt, podDischargedAt, indEtaAt, indAtaAt } = attributes;
    const isSeparate = own !== undefined;
    const knownOwn = container === null ? unknown : knownEstimate(container, "podEtaAt");
    const ownEta = plan("podEtaAt", {
      containerId: container?.id ?? null,
      // Notified with the shipment, unless it has arrived separately since.
      known: { ...knownOwn, notified: knownOwn.notified ?? knownEta.notified },
      now: own?.value ?? podEtaAt?.value ?? null,
      isOver: isSeparate ? (podArrivedAt ?? podDischargedAt) !== undefined : podAtaAt !== undefined,
      withoutKept: own?.value ?? eta.keep ?? podEtaAt?.value ?? null,
    });
    const inland = plan("indEtaAt", {
      containerId: container?.id ?? null,
      known: container === null ? unknown : knownEstimate(container, "indEtaAt"),
      now: indEtaAt?.value ?? null,
      isOver: indAtaAt !== undefined,
    });
    return { number, isNew: container === null, ownEta, inland };
  });
  const toNotify = (planned: readonly (readonly [number: string, Planned])[]): ReadonlyMap<string, Instant> =>
    new Map(planned.flatMap(([number, { notify }]) => (notify === null ? [] : [[number, notify] as const])));
  const known = containers.filter(({ isNew }) => !isNew);
  return {
    notifications: {
      polEtdAt: etd.notify,
      podEtaAt: eta.notify,
      containerPodEtaAt: toNotify(containers.map(({ number, ownEta }) => [number, ownEta])),
      indEtaAt: toNotify(known.map(({ number, inland }) => [number, inland])),
    },
    notifiedEstimates: [
      ...[etd, eta].flatMap(({ change }) => change),
      ...known.flatMap(({ ownEta, inland }) => [...ownEta.change, ...inland.change]),
    ],
  };
}

interface Known {
  /** Stored because it differs from the last reported value. */
  readonly kept: Instant | null;
  /** The value of the last notification; null: there was none. */
  readonly notified: Instant | null;
}

function knownEstimate(
  stored: { readonly facts: StoredFacts; readonly notifiedEstimates: NotifiedEstimates },
  field: NotifiedEstimateField,
): Known {
  const kept = stored.notifiedEstimates[field] ?? null;
  return { kept, notified: kept ?? (stored.facts[field] as Instant | undefined) ?? null };
}

const unknown: Known = { kept: null, notified: null };

interface Estimate {
  readonly field: NotifiedEstimateField;
  /** Default: of the shipment. */
  readonly containerId?: string | null;
  readonly known: Known;
  readonly now: Instant | null;
  /** Whether it has become an actual time. */
  readonly isOver: boolean;
  readonly observedAt: Instant | null;
  /** ETA that counts as notified if no value is stored. Default: `now`. */
  readonly withoutKept?: Instant | null;
}

interface Planned {
  readonly notify: Instant | null;
  readonly keep: Instant | null;
  readonly change: readonly NotifiedEstimateChange[];
}

function planEstimateNotification(estimate: Estimate): Planned {
  const { containerId = null, field, known, now, isOver, observedAt, withoutKept = now } = estimate;
  const isNotified = now !== null && !isOver && isSignificant(known.notified, now, observedAt);
  const notified = isNotified ? now : known.notified;
  const keep = now === null || notified === withoutKept ? null : notified;
  return {
    notify: isNotified ? now : null,
    keep,
    change: keep === known.kept ? [] : [{ containerId, field, estimatedAt: keep }],
  };
}

/** New, moved by at least the threshold, or moved to another day (in UTC: the time zone is not known here). */
function isSignificant(notified: Instant | null, now: Instant, observedAt: Instant | null): boolean {
  if (notified === null || notified.slice(0, 10) !== now.slice(0, 10)) return true;
  const isFar = observedAt !== null && msBetween(observedAt, now) > farEstimateMs;
  return Math.abs(msBetween(notified, now)) >= (isFar ? farEstimateThresholdMs : estimateThresholdMs);
}
