import { dayMs, hourMs, type Instant, msBetween } from "../instant.ts";
import type { DerivedContainer, DerivedShipment } from "./derived-shipment.ts";
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
  /** `indEtaAt` of containers with a notification, by container number. */
  readonly indEtaAt: ReadonlyMap<string, Instant>;
}

interface Estimate {
  readonly notify: Instant | null;
  readonly change: readonly NotifiedEstimateChange[];
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
  const ofShipment = (field: NotifiedEstimateField, now: Instant | undefined, isOver: boolean): Estimate =>
    planEstimateNotification({
      containerId: null,
      field,
      known: knownOf(stored, field),
      now: now ?? null,
      isOver,
      observedAt,
    });
  const etd = ofShipment("polEtdAt", polEtdAt?.value, polAtdAt !== undefined);
  const eta = ofShipment("podEtaAt", podEtaAt?.value, podAtaAt !== undefined);
  const byNumber = new Map<string, DerivedContainer>(derived.containers.map((one) => [one.number, one]));
  const inland = stored.containers.map((container) => {
    const { indEtaAt, indAtaAt } = byNumber.get(container.number)?.attributes ?? {};
    const estimate = planEstimateNotification({
      containerId: container.id,
      field: "indEtaAt",
      known: knownOf(container, "indEtaAt"),
      now: indEtaAt?.value ?? null,
      isOver: indAtaAt !== undefined,
      observedAt,
    });
    return { number: container.number, ...estimate };
  });
  return {
    notifications: {
      polEtdAt: etd.notify,
      podEtaAt: eta.notify,
      indEtaAt: new Map(inland.flatMap(({ number, notify }) => (notify === null ? [] : [[number, notify] as const]))),
    },
    notifiedEstimates: [...etd.change, ...eta.change, ...inland.flatMap(({ change }) => change)],
  };
}

interface Known {
  /** Stored because it differs from the last reported value. */
  readonly kept: Instant | null;
  /** The value of the last notification; null: there was none. */
  readonly notified: Instant | null;
}

function knownOf(
  stored: { readonly facts: StoredFacts; readonly notifiedEstimates: NotifiedEstimates },
  field: NotifiedEstimateField,
): Known {
  const kept = stored.notifiedEstimates[field] ?? null;
  return { kept, notified: kept ?? (stored.facts[field] as Instant | undefined) ?? null };
}

function planEstimateNotification(estimate: {
  readonly containerId: string | null;
  readonly field: NotifiedEstimateField;
  readonly known: Known;
  readonly now: Instant | null;
  readonly isOver: boolean;
  readonly observedAt: Instant | null;
}): Estimate {
  const { containerId, field, known, now, isOver, observedAt } = estimate;
  const isNotified = now !== null && !isOver && isSignificant(known.notified, now, observedAt);
  const keep = isNotified || now === null || now === known.notified ? null : known.notified;
  return {
    notify: isNotified ? now : null,
    change: keep === known.kept ? [] : [{ containerId, field, estimatedAt: keep }],
  };
}

/** New, moved by at least the threshold, or moved to another day (in UTC: the time zone is not known here). */
function isSignificant(notified: Instant | null, now: Instant, observedAt: Instant | null): boolean {
  if (notified === null || notified.slice(0, 10) !== now.slice(0, 10)) return true;
  const isFar = observedAt !== null && msBetween(observedAt, now) > farEstimateMs;
  return Math.abs(msBetween(notified, now)) >= (isFar ? farEstimateThresholdMs : estimateThresholdMs);
}
