import { setTimeout as delay } from "node:timers/promises";

const waitMinMs = 1_000;
const waitMaxMs = 60_000;

export interface Connection {
  /** Ends the connection and resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Connects again whenever the connection ends: exponential backoff from one second to a minute with full jitter, from
 * the start again after a connection that received something.
 *
 * @param connect resolves or rejects when the connection has ended, and ends it when the signal aborts. Calls
 *   `onReceived` when something was received.
 */
export function maintainConnection(
  connect: (signal: AbortSignal, onReceived: () => void) => Promise<void>,
  { onEnded, random = Math.random }: { readonly onEnded: (error: unknown) => void; readonly random?: () => number },
): Connection {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      let hasReceived = false;
      const ended = await connect(signal, () => {
        hasReceived = true;
      }).catch((error: unknown) => error);
      if (signal.aborted) return;
      onEnded(ended);
      failures = hasReceived ? 0 : failures + 1;
      const longestMs = Math.min(waitMaxMs, waitMinMs * 2 ** Math.min(failures, 10));
      await delay(waitMinMs / 2 + random() * (longestMs - waitMinMs / 2), undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
