import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { replaceDurably } from "../replace-durably.ts";

export interface ClockReading {
  /** Simulated epoch milliseconds. */
  readonly now: number;
  /** Simulated seconds in a real second. */
  readonly scale: number;
  readonly paused: boolean;
  /** Another one after each change, also after a restart. */
  readonly revision: number;
}

/** An invalid change of the clock; the message names what is allowed. */
export class ClockError extends Error {}

const StoredClock = z.object({ now: z.number(), paused: z.boolean() });

function readStored(path: string): z.output<typeof StoredClock> {
  try {
    return StoredClock.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new Error(`${path} is not a clock: restore it, or empty the folder to start over.`, { cause });
  }
}

/**
 * The file stores an upper bound of the times that were returned. The bound is this far ahead (real time), so that it
 * is not written at every reading; after a kill the clock continues from the bound.
 */
const boundAheadMs = 2_000;

export const scaleMax = 1_000_000;
/** Beyond the year 9999 a time has no RFC 3339 form. */
const latestTime = Date.UTC(9999, 0, 1);

/**
 * Simulated time: runs `scale` times as fast as real time, stands still while the process is down, and never runs
 * backwards, not even over a `kill -9`. Paused survives a restart; the scale is configured at each start.
 */
export class SimulatedClock {
  readonly #path: string;
  readonly #realNow: () => number;
  #anchor: { readonly simulated: number; readonly real: number };
  #scale: number;
  #paused: boolean;
  #bound: number;
  readonly #onUnsaved: (error: unknown) => void;
  #revision = Date.now();
  readonly #changes = new EventEmitter().setMaxListeners(0);

  /**
   * `onUnsaved` is called when the file cannot be written, for example on a full disk. `realNow` is a monotonic clock
   * in milliseconds; `epoch` is the simulated time of the first start.
   */
  constructor(options: {
    path: string;
    scale: number;
    epoch: number;
    realNow: () => number;
    onUnsaved: (error: unknown) => void;
  }) {
    this.#onUnsaved = options.onUnsaved;
    this.#path = options.path;
    this.#realNow = options.realNow;
    this.#scale = options.scale;
    const stored = existsSync(options.path) ? readStored(options.path) : { now: options.epoch, paused: false };
    this.#anchor = { simulated: stored.now, real: this.#realNow() };
    this.#paused = stored.paused;
    this.#bound = stored.now;
  }

  /** Simulated epoch milliseconds. Stands still while the file cannot be written. */
  now(): number {
    const elapsed = this.#paused ? 0 : (this.#realNow() - this.#anchor.real) * this.#scale;
    const now = Math.min(latestTime, Math.floor(this.#anchor.simulated + elapsed));
    if (now > this.#bound) this.#trySaveBound(now + (this.#paused ? 0 : boundAheadMs * this.#scale));
    return Math.min(now, this.#bound);
  }

  read(): ClockReading {
    return { now: this.now(), scale: this.#scale, paused: this.#paused, revision: this.#revision };
  }

  /** Resolves when the clock was changed after the revision, at the latest when the signal aborts. */
  async changed(revision: number, signal: AbortSignal): Promise<void> {
    if (revision !== this.#revision || signal.aborted) return;
    await once(this.#changes, "set", { signal }).catch(() => undefined);
  }

  /** Applies the given changes. Throws ClockError when time would run backwards or a value is out of range. */
  set(change: { now?: number | undefined; scale?: number | undefined; paused?: boolean | undefined }): ClockReading {
    const before = this.now();
    const now = change.now ?? before;
    if (now < before)
      throw new ClockError(`now must not be before ${new Date(before).toISOString()}: time runs forward`);
    if (now > latestTime) throw new ClockError("now must not be after the year 9998");
    const scale = change.scale ?? this.#scale;
    if (!(scale > 0 && scale <= scaleMax)) {
      throw new ClockError(`scale must be above 0 and at most ${scaleMax}; set paused to stop the clock`);
    }
    this.#anchor = { simulated: now, real: this.#realNow() };
    this.#scale = scale;
    this.#paused = change.paused ?? this.#paused;
    this.#saveBound(now);
    this.#revision++;
    this.#changes.emit("set");
    return this.read();
  }

  /** Lowers the stored bound to the current time, so that an orderly restart skips no time. */
  close(): void {
    this.#trySaveBound(this.now());
  }

  #trySaveBound(now: number): void {
    try {
      this.#saveBound(now);
    } catch (error) {
      this.#onUnsaved(error);
    }
  }

  #saveBound(now: number): void {
    replaceDurably(this.#path, `${JSON.stringify({ now, paused: this.#paused })}\n`);
    this.#bound = now;
  }
}
