export interface ReplicaBreakerOptions {
  /** Resolves when the replica can be read. */
  readonly probe: () => Promise<void>;
  /** Called when the breaker closes, and when it opens with the reason. */
  readonly onChange: (
    change: { readonly isInUse: true } | { readonly isInUse: false; readonly reason: unknown },
  ) => void;
}

/** How long reads stay with the primary before the replica is probed again. */
const breakerPauseMs = 1_000;
/** A single late read, of many that were in time, is no reason to leave the replica. */
const laggingMaxMs = 100;

/**
 * A circuit breaker: reads go to the replica while it is closed. While it is open, a read starts a probe at most once a
 * second and does not wait for it. It starts open, so no read waits for a replica that was never reached.
 */
export class ReplicaBreaker {
  readonly #options: ReplicaBreakerOptions;
  #isClosed = false;
  #hasReported = false;
  /** Time since when every read was late; undefined after one in time. */
  #laggingSinceMs: number | undefined;
  #probesAtMs = 0;
  #probing: Promise<void> | undefined;

  constructor(options: ReplicaBreakerOptions) {
    this.#options = options;
  }

  isClosed(): boolean {
    if (!this.#isClosed && !this.#probing && performance.now() >= this.#probesAtMs) this.#probing = this.#probe();
    return this.#isClosed;
  }

  /** A read ran on the replica. */
  succeed(): void {
    this.#laggingSinceMs = undefined;
  }

  /** A read came to the replica too early. Opens the breaker when this has been so for some time. */
  lag(reason: unknown): void {
    this.#laggingSinceMs ??= performance.now();
    if (performance.now() - this.#laggingSinceMs >= laggingMaxMs) this.open(reason);
  }

  open(reason: unknown): void {
    this.#laggingSinceMs = undefined;
    this.#probesAtMs = performance.now() + breakerPauseMs;
    if (!this.#isClosed && this.#hasReported) return;
    this.#isClosed = false;
    this.#hasReported = true;
    this.#options.onChange({ isInUse: false, reason });
  }

  /** Resolves when no probe is running. */
  async settled(): Promise<void> {
    await this.#probing;
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe();
      this.#isClosed = true;
      this.#options.onChange({ isInUse: true });
    } catch (error) {
      this.open(error);
    } finally {
      this.#probing = undefined;
    }
  }
}
