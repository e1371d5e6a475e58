interface Limits {
  readonly windows: readonly { readonly requests: number; readonly seconds: number }[];
  readonly concurrent: number | null;
}

/** Counts the requests of one credential in the sliding windows that the carrier publishes. */
export class CarrierRequestLimits {
  readonly #limits: Limits;
  readonly #realNow: () => number;
  /** Oldest first, within the longest window. */
  #startedAt: number[] = [];
  #underWay = 0;

  /** @param realNow milliseconds of a monotonic clock. */
  constructor(limits: Limits, realNow: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#realNow = realNow;
  }

  /** Counts a request, to be ended with `end`. @returns the seconds until one is permitted; null: it is permitted. */
  begin(): number | null {
    const now = this.#realNow();
    const longestMs = Math.max(0, ...this.#limits.windows.map(({ seconds }) => seconds * 1_000));
    this.#startedAt = this.#startedAt.filter((at) => at > now - longestMs);
    const { concurrent, windows } = this.#limits;
    const waitsMs = windows.map(({ requests, seconds }) => {
      const blocking = this.#startedAt.at(-requests);
      return blocking === undefined ? 0 : blocking + seconds * 1_000 - now;
    });
    if (concurrent !== null && this.#underWay >= concurrent) waitsMs.push(1_000);
    const waitMs = Math.max(0, ...waitsMs);
    if (waitMs > 0) return Math.ceil(waitMs / 1_000);
    this.#startedAt.push(now);
    this.#underWay++;
    return null;
  }

  end(): void {
    this.#underWay--;
  }

  /** Starts every window over. */
  clear(): void {
    this.#startedAt = [];
  }
}
