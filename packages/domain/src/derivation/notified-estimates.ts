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
  const etd = plan("polEtdAt", {
    known: knownEtd,
    estimatedAt: polEtdAt?.value ?? null,
    hasActual: polAtdAt !== undefined,
  });
  const eta = plan("podEtaAt", {
    known: knownEta,
    estimatedAt: podEtaAt?.value ?? null,
    hasActual: podAtaAt !== undefined,
  });
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
      estimatedAt: own?.value ?? podEtaAt?.value ?? null,
      hasActual: isSeparate ? (podArrivedAt ?? podDischargedAt) !== undefined : podAtaAt !== undefined,
      notifiedByDefault: own?.value ?? eta.estimateToStore ?? podEtaAt?.value ?? null,
    });
    const inland = plan("indEtaAt", {
      containerId: container?.id ?? null,
      known: container === null ? unknown : knownEstimate(container, "indEtaAt"),
      estimatedAt: indEtaAt?.value ?? null,
      hasActual: indAtaAt !== undefined,
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
      ...[etd, eta].flatMap(({ changes }) => changes),
      ...known.flatMap(({ ownEta, inland }) => [...ownEta.changes, ...inland.changes]),
    ],
  };
}

interface Known {
  /** Stored because it differs from the last reported value. */
  readonly storedEstimate: Instant | null;
  /** The value of the last notification; null: there was none. */
  readonly notified: Instant | null;
}

function knownEstimate(
  stored: { readonly facts: StoredFacts; readonly notifiedEstimates: NotifiedEstimates },
  field: NotifiedEstimateField,
): Known {
  const storedEstimate = stored.notifiedEstimates[field] ?? null;
  return { storedEstimate, notified: storedEstimate ?? (stored.facts[field] as Instant | undefined) ?? null };
}

const unknown: Known = { storedEstimate: null, notified: null };

interface Estimate {
  readonly field: NotifiedEstimateField;
  /** Default: of the shipment. */
  readonly containerId?: string | null;
  readonly known: Known;
  readonly estimatedAt: Instant | null;
  /** Whether it has become an actual time. */
  readonly hasActual: boolean;
  readonly observedAt: Instant | null;
  /** ETA that counts as notified if no value is stored. Default: `estimatedAt`. */
  readonly notifiedByDefault?: Instant | null;
}

interface Planned {
  readonly notify: Instant | null;
  readonly estimateToStore: Instant | null;
  readonly changes: readonly NotifiedEstimateChange[];
}

function planEstimateNotification(estimate: Estimate): Planned {
  const { containerId = null, field, known, estimatedAt, hasActual, observedAt } = estimate;
  const { notifiedByDefault = estimatedAt } = estimate;
  const isNotified = estimatedAt !== null && !hasActual && isSignificant(known.notified, estimatedAt, observedAt);
  const notified = isNotified ? estimatedAt : known.notified;
  const estimateToStore = estimatedAt === null || notified === notifiedByDefault ? null : notified;
  return {
    notify: isNotified ? estimatedAt : null,
    estimateToStore,
    changes: estimateToStore === known.storedEstimate ? [] : [{ containerId, field, estimatedAt: estimateToStore }],
  };
}

/** New, moved by at least the threshold, or moved to another day (in UTC: the time zone is not known here). */
function isSignificant(notified: Instant | null, estimatedAt: Instant, observedAt: Instant | null): boolean {
  if (notified === null || notified.slice(0, 10) !== estimatedAt.slice(0, 10)) return true;
  const isFar = observedAt !== null && msBetween(observedAt, estimatedAt) > farEstimateMs;
  return Math.abs(msBetween(notified, estimatedAt)) >= (isFar ? farEstimateThresholdMs : estimateThresholdMs);
}
