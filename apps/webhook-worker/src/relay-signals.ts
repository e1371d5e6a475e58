/** Wakes the relay. Made before everything that signals, so that nothing has to know the relay. */
export interface RelaySignals {
  /** A delivery may be due. */
  due(): void;
  /** A claim ended, so its endpoint and the queue have room for more. */
  capacity(): void;
  /**
   * Waits for a signal that was sent since the last wait ended.
   * @param forCapacity whether a capacity signal ends the wait; a few milliseconds late, so that several share one
   * round.
   * @returns false after the timeout.
   */
  wait(timeoutMs: number, forCapacity: boolean): Promise<boolean>;
}

const collectMs = 4;

export function createRelaySignals(): RelaySignals {
  let isDue = false;
  let hasCapacity = false;
  let onSignal = (): void => undefined;

  const until = (isReached: () => boolean, timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        onSignal = () => undefined;
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      onSignal = () => {
        if (isReached()) finish();
      };
      onSignal();
    });

  return {
    due() {
      isDue = true;
      onSignal();
    },
    capacity() {
      hasCapacity = true;
      onSignal();
    },
    async wait(timeoutMs, forCapacity) {
      await until(() => isDue || (forCapacity && hasCapacity), timeoutMs);
      const isSignalled = isDue || (forCapacity && hasCapacity);
      if (isSignalled && !isDue) await until(() => isDue, collectMs);
      isDue = false;
      hasCapacity = false;
      return isSignalled;
    },
  };
}
