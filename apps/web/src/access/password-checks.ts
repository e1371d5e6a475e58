/**
 * Each check takes 32 MiB for a quarter of a second, and one of the four libuv threads, which file access and
 * compression need too.
 */
const checkConcurrency = 2;
/** The last of them waits about two seconds. */
const waitingMax = 14;

/** Limits concurrent password checks, so that many logins at once do not delay other requests. */
export interface PasswordChecks {
  /** Too many checks wait already: refuse the login. */
  areFull(): boolean;
  /** Runs the check after those that were queued before it. */
  run<Outcome>(check: () => Promise<Outcome>): Promise<Outcome>;
}

export function createPasswordChecks(): PasswordChecks {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    areFull: () => waiting.length >= waitingMax,
    async run(check) {
      // A finished check passes its slot to the next in the queue, so that no later check takes it first.
      if (running >= checkConcurrency) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await check();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
