import type { Instant } from "@svc/domain";

interface Slots {
  count: number;
  /** Not before this, by `realNow`. */
  closedUntilMs: number;
  /** When the circuit breaker allows a probe, on the tracking clock. */
  openUntil: Instant | null;
}

/**
 * Limits the concurrent polls of each credential in this process: a slow carrier cannot occupy every slot, and no
 * subject of a paused carrier is claimed. The state here may be stale; the permit decides.
 */
export class CarrierSlots {
  readonly #slots = new Map<string, Slots>();
  readonly #limit: number;
  readonly #realNow: () => number;
  readonly #trackingNow: () => Instant;

  /** @param realNow a monotonic clock, in milliseconds. */
  constructor(limit: number, realNow: () => number, trackingNow: () => Instant) {
    this.#limit = limit;
    this.#realNow = realNow;
    this.#trackingNow = trackingNow;
  }

  /** Free slots of every credential with polls in progress or a pause. */
  free(): ReadonlyMap<string, number> {
    const free = new Map<string, number>();
    for (const [credential, slots] of this.#slots) {
      const isClosed = this.#isClosed(slots);
      if (!isClosed && slots.count === 0) this.#slots.delete(credential);
      else free.set(credential, isClosed ? 0 : Math.max(this.#limit - slots.count, 0));
    }
    return free;
  }

  /** Real milliseconds until the first pause ends; infinite when there is none. */
  nextOpeningInMs(): number {
    const now = this.#realNow();
    const waits = [...this.#slots.values()].map(({ closedUntilMs }) => closedUntilMs - now).filter((ms) => ms > 0);
    return Math.min(...waits, Number.POSITIVE_INFINITY);
  }

  begin(credential: string): void {
    this.#of(credential).count++;
  }

  end(credential: string): void {
    this.#of(credential).count--;
  }

  closeFor(credential: string, ms: number): void {
    const slots = this.#of(credential);
    slots.closedUntilMs = Math.max(slots.closedUntilMs, this.#realNow() + ms);
  }

  closeUntil(credential: string, openUntil: Instant): void {
    this.#of(credential).openUntil = openUntil;
  }

  #isClosed({ closedUntilMs, openUntil }: Slots): boolean {
    return closedUntilMs > this.#realNow() || (openUntil !== null && openUntil > this.#trackingNow());
  }

  #of(credential: string): Slots {
    const slots = this.#slots.get(credential) ?? { count: 0, closedUntilMs: 0, openUntil: null };
    this.#slots.set(credential, slots);
    return slots;
  }
}
