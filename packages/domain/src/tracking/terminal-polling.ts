import type { ContainerStatus } from "../containers/container.ts";
import type { DerivedContainer, DerivedShipment } from "../derivation/derived-shipment.ts";
import { addMs, dayMs, hourMs, type Instant, minuteMs, msBetween } from "../instant.ts";

/** The facts that decide when a container's terminal is polled. */
export interface PickupProgress {
  readonly status: ContainerStatus;
  readonly podEtaAt: Instant | null;
  readonly podArrivedAt: Instant | null;
  readonly pickupLfd: Instant | null;
}

/** Terminals list a container about this long before its vessel. */
const listedBeforeArrivalMs = dayMs;
/** A last free day within this time, or past, is urgent: demurrage is about to accrue. */
const urgentLastFreeDayMs = 3 * dayMs;

const gone: ReadonlySet<ContainerStatus> = new Set(["picked_up", "delivered", "empty_returned"]);

export function pickupProgress(shipment: DerivedShipment, { attributes }: DerivedContainer): PickupProgress {
  return {
    status: attributes.currentStatus.value,
    podEtaAt: shipment.attributes.podEtaAt?.value ?? null,
    podArrivedAt: attributes.podArrivedAt?.value ?? attributes.podDischargedAt?.value ?? null,
    pickupLfd: attributes.pickupLfd?.value ?? null,
  };
}

/** When to poll the terminal first, or again after the carrier reported a change; null: the change requires no poll. */
export function terminalPollAt(progress: PickupProgress, now: Instant): Instant | null {
  const { status, podEtaAt, podArrivedAt } = progress;
  if (gone.has(status)) return null;
  if (podArrivedAt !== null) return now;
  if (podEtaAt === null) return null;
  const listedAt = addMs(podEtaAt, -listedBeforeArrivalMs);
  return listedAt > now ? listedAt : now;
}

/** Lines issue few versions of an arrival notice. */
const arrivalNoticeIntervalMs = dayMs;

/** Milliseconds until a carrier is polled again for the arrival notice; null: never, the container was picked up. */
export function arrivalNoticeInterval({ status }: PickupProgress): number | null {
  return gone.has(status) ? null : arrivalNoticeIntervalMs;
}

/** Milliseconds until the next poll of the terminal, before jitter; null: none, the container was picked up. */
export function terminalPollInterval(progress: PickupProgress, now: Instant): number | null {
  const { status, podArrivedAt, pickupLfd } = progress;
  if (gone.has(status)) return null;
  if (podArrivedAt === null || status === "on_rail") return 6 * hourMs;
  const isUrgent = pickupLfd !== null && msBetween(now, pickupLfd) <= urgentLastFreeDayMs;
  return isUrgent ? 30 * minuteMs : 2 * hourMs;
}
