/** How a request stands with its limit. */
export interface WindowState {
  /** When it was counted, or what it was counted as: what gives it back. */
  readonly entry: number;
  readonly accepted: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Until the oldest counted request leaves the window. */
  readonly resetMs: number;
}

const sweepAtKeys = 10_000;

/** A rate limit by key as a sliding window in the memory of this process. */
export class MemoryWindow {
  readonly #times = new Map<string, number[]>();
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
    if (this.#times.size > sweepAtKeys) this.#forgetIdle(start);
    const resetMs = (times[0] ?? now) + this.#windowMs - now;
    return { entry: now, accepted, remaining: this.#limit - times.length, resetMs };
  }

  /** Removes an accepted request from the window. Requests at one time are interchangeable. */
  giveBack(key: string, entry: number): void {
    const times = this.#times.get(key) ?? [];
    const index = times.lastIndexOf(entry);
    if (index >= 0) times.splice(index, 1);
  }

  #forgetIdle(start: number): void {
    for (const [key, times] of this.#times) {
      if ((times.at(-1) ?? 0) <= start) this.#times.delete(key);
    }
  }
}
