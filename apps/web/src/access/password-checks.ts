/** Each check takes one of four threads, which reading and compressing need too, and 32 MiB for a quarter of a second. */
const checkedAtOnce = 2;
/** The last of them waits about two seconds. */
const waitingAtMost = 14;

/** Checks passwords a few at a time, so that many at once make nothing else wait. */
export interface PasswordChecks {
  /** Another check is to be refused: too many wait already. */
  areFull(): boolean;
  /** Runs the check when it is its turn. */
  run<Outcome>(check: () => Promise<Outcome>): Promise<Outcome>;
}

export function createPasswordChecks(): PasswordChecks {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    areFull: () => waiting.length >= waitingAtMost,
    async run(check) {
      // Who ends hands its place on, so that nobody else takes it in between.
      if (running >= checkedAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
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
