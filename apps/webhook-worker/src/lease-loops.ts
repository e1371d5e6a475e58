import type { ClaimRegistry } from "./claim-registry.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { RelaySignals } from "./relay-signals.ts";

const renewEveryMs = 1_000;
const removeEveryMs = 200;

export interface LeaseLoop {
  /** Name of the loop in the watchdog. */
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/**
 * The loops that renew the leases of claims. They are separate: requests in flight must keep their leases while the
 * queue's store does not answer.
 */
export function leaseLoops(
  registry: ClaimRegistry,
  dispatcher: Dispatcher,
  signals: RelaySignals,
  queuedMax: { readonly fast: number; readonly slow: number },
): LeaseLoop[] {
  return [
    { name: "leases in flight", everyMs: renewEveryMs, run: registry.renewInFlight },
    {
      name: "queued leases",
      everyMs: renewEveryMs,
      async run() {
        if (await dispatcher.renew()) signals.due();
      },
    },
    {
      name: "started claims",
      everyMs: removeEveryMs,
      async run() {
        const isHalfFull = registry.count("fast") > queuedMax.fast / 2 || registry.count("slow") > queuedMax.slow / 2;
        if (isHalfFull && (await registry.removeStarted())) signals.capacity();
      },
    },
  ];
}
