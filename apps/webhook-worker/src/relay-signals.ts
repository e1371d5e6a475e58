import { resolvesWithin } from "@svc/service-kit";

/** Wakes the relay. Separate from the relay, so that signalling components do not depend on it. */
export interface RelaySignals {
  /** A delivery may be due. */
  due(): void;
  /** A claim ended, so its endpoint and the queue have capacity again. */
  capacity(): void;
  /**
   * Waits for a signal that was sent since the last wait ended. `forCapacity`: a capacity signal ends the wait, too,
   * after a few milliseconds, so that several share one round.
   * @returns false after the timeout.
   */
  wait(options: { readonly timeoutMs: number; readonly forCapacity: boolean }): Promise<boolean>;
}

const collectMs = 4;

export function createRelaySignals(): RelaySignals {
  let isDue = false;
  let hasCapacity = false;
  let onSignal = (): void => undefined;

  const until = async (isReached: () => boolean, timeoutMs: number): Promise<void> => {
    const reached = Promise.withResolvers<void>();
    onSignal = () => {
      if (isReached()) reached.resolve();
    };
    onSignal();
    await resolvesWithin(reached.promise, timeoutMs);
    onSignal = () => undefined;
  };

  return {
    due() {
      isDue = true;
      onSignal();
    },
    capacity() {
      hasCapacity = true;
      onSignal();
    },
    async wait({ timeoutMs, forCapacity }) {
      await until(() => isDue || (forCapacity && hasCapacity), timeoutMs);
      const isSignalled = isDue || (forCapacity && hasCapacity);
      if (isSignalled && !isDue) await until(() => isDue, collectMs);
      isDue = false;
      hasCapacity = false;
      return isSignalled;
    },
  };
}
