import type { Instant } from "@svc/domain";

interface Places {
  underWay: number;
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
  readonly #places = new Map<string, Places>();
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
    for (const [credential, places] of this.#places) {
      const isClosed = this.#isClosed(places);
      if (!isClosed && places.underWay === 0) this.#places.delete(credential);
      else free.set(credential, isClosed ? 0 : Math.max(this.#limit - places.underWay, 0));
    }
    return free;
  }

  /** Real milliseconds until the first pause ends; infinite when there is none. */
  nextOpeningInMs(): number {
    const now = this.#realNow();
    const waits = [...this.#places.values()].map(({ closedUntilMs }) => closedUntilMs - now).filter((ms) => ms > 0);
    return Math.min(...waits, Number.POSITIVE_INFINITY);
  }

  begin(credential: string): void {
    this.#of(credential).underWay++;
  }

  end(credential: string): void {
    this.#of(credential).underWay--;
  }

  closeFor(credential: string, ms: number): void {
    const places = this.#of(credential);
    places.closedUntilMs = Math.max(places.closedUntilMs, this.#realNow() + ms);
  }

  closeUntil(credential: string, openUntil: Instant): void {
    this.#of(credential).openUntil = openUntil;
  }

  #isClosed({ closedUntilMs, openUntil }: Places): boolean {
    return closedUntilMs > this.#realNow() || (openUntil !== null && openUntil > this.#trackingNow());
  }

  #of(credential: string): Places {
    const places = this.#places.get(credential) ?? { underWay: 0, closedUntilMs: 0, openUntil: null };
    this.#places.set(credential, places);
    return places;
  }
}
