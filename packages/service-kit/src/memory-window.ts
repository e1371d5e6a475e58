/** State of a limit after a request. */
export interface WindowState {
  /** Identifies the request for `refund`. */
  readonly entry: number;
  readonly accepted: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Until the oldest counted request leaves the window. */
  readonly resetMs: number;
}

/** Fewer keys are not swept. */
const sweepAtKeys = 10_000;

/** A rate limit by key as a sliding window in the memory of this process. */
export class MemoryWindow {
  readonly #times = new Map<string, number[]>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #nowMs: () => number;

  constructor(options: { limit: number; windowMs: number; nowMs?: () => number }) {
    this.#limit = options.limit;
    this.#windowMs = options.windowMs;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  take(key: string): WindowState {
    const now = this.#nowMs();
    const start = now - this.#windowMs;
    const times = (this.#times.get(key) ?? []).filter((time) => time > start);
    const accepted = times.length < this.#limit;
    if (accepted) times.push(now);
    this.#times.set(key, times);
    // Once in a window: with many keys in use, a sweep for each request would read all of them and remove none.
    if (this.#times.size > sweepAtKeys && this.#sweptAtMs <= start) this.#removeIdle(now);
    const resetMs = (times[0] ?? now) + this.#windowMs - now;
    return { entry: now, accepted, remaining: this.#limit - times.length, resetMs };
  }

  /** Removes an accepted request from the window. Requests at one time are interchangeable. */
  refund(key: string, entry: number): void {
    const times = this.#times.get(key) ?? [];
    const index = times.lastIndexOf(entry);
    if (index >= 0) times.splice(index, 1);
  }

  #removeIdle(now: number): void {
    this.#sweptAtMs = now;
    for (const [key, times] of this.#times) {
      if ((times.at(-1) ?? 0) <= now - this.#windowMs) this.#times.delete(key);
    }
  }
}
