import { SvcError } from "../errors.ts";
import { type HandledIds, handledIdsInMemory } from "./handled-ids.ts";

/**
 * Another process is handling the notification, or was killed while it did, so whether it will be handled is not known
 * yet. Respond with `status` and a `Retry-After` of `retryAfterSeconds`; any response that is not 2xx does, too.
 */
export class NotificationInProgressError extends SvcError {
  override name = "NotificationInProgressError";
  readonly status = 503;
  /** Seconds after which the other claim has ended. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("The notification is being handled elsewhere; it must be delivered again.");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface DeduplicatorOptions {
  /** The memory of this process by default. Share one between the processes that receive deliveries. */
  readonly store?: HandledIds;
  /**
   * More than a handling ever takes; 60,000 by default. One that takes longer counts as killed, and the next delivery
   * is handled beside it.
   */
  readonly handlingMaxMs?: number;
}

/** Runs the handler unless the notification of this id has been handled; resolves to whether it ran. */
export type HandleOnce = (id: string, handle: () => void | Promise<void>) => Promise<boolean>;

/**
 * Runs a handler for each notification until it has succeeded once, however often it is delivered
 * (docs/contract/specification.md events.2). Resolves when it has been handled, to whether it was by this delivery:
 * respond to both with 200. When the handler fails, its error is passed on and the next delivery is handled. A second
 * delivery that arrives while the first is being handled in this process shares its outcome; if it is handled in
 * another process, or was when that was killed, NotificationInProgressError is thrown. A process that is killed between
 * the end of the handler and the note of it leaves the notification to be handled again.
 */
export function createDeduplicator(options: DeduplicatorOptions = {}): HandleOnce {
  const { store = handledIdsInMemory(), handlingMaxMs = 60_000 } = options;
  const inProgress = new Map<string, Promise<void>>();

  const run = async (id: string, owner: string, handle: () => void | Promise<void>): Promise<void> => {
    try {
      await handle();
    } catch (error) {
      try {
        await store.release(id, owner);
      } catch {
        // The claim ends by itself; the caller gets the error of the handling.
      }
      throw error;
    }
    await store.done(id);
  };

  return async (id, handle) => {
    const owner = crypto.randomUUID();
    const state = await store.begin(id, owner, handlingMaxMs);
    if (state === "done") return false;
    if (state === "running") {
      const here = inProgress.get(id);
      if (here === undefined) throw new NotificationInProgressError(Math.ceil(handlingMaxMs / 1000));
      await here;
      return false;
    }
    const outcome = run(id, owner, handle);
    inProgress.set(id, outcome);
    try {
      await outcome;
    } finally {
      if (inProgress.get(id) === outcome) inProgress.delete(id);
    }
    return true;
  };
}
