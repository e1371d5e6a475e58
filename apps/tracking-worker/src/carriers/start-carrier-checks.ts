import { isReachable } from "@svc/carriers";
import { type CarrierCheckClaim, claimCarrierChecks } from "@svc/persistence/carrier-connections";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { CarrierAccessGate } from "./carrier-access-gate.ts";
import type { CarrierDirectory } from "./carrier-directory.ts";

export interface CarrierChecker {
  readonly context: Pick<TrackingContext, "database">;
  readonly directory: CarrierDirectory;
  readonly access: CarrierAccessGate;
  readonly logger: Logger;
}

/** Interval in real time, not on the tracking clock. */
export const checkCarriersEveryMs = 1_000;
/** Lease of a check, longer than it takes. The check of a worker that died is due again after this. */
const leaseMs = 12_000;

/** Checks a carrier that was unreachable. Rejects only when `signal` aborts or the database fails. */
export async function checkCarrier(
  { directory, access }: CarrierChecker,
  claim: CarrierCheckClaim,
  signal: AbortSignal,
): Promise<void> {
  const known = directory.forCheck(claim.scac);
  if (known?.addresses == null) return;
  await access.reportCheck(claim, known.limits, await isReachable(known.addresses, signal));
}

/**
 * Checks in real time whether the carriers answer again whose polls failed without a response. Several workers may run
 * it: each check is claimed by one of them, once for all credentials of the carrier.
 */
export function startCarrierChecks(
  checker: CarrierChecker,
  onChecked: () => void,
  watched?: WatchedLoop,
): { stop(): Promise<void> } {
  const { logger, context } = checker;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const run = async (claim: CarrierCheckClaim): Promise<void> => {
    try {
      await checkCarrier(checker, claim, stopping.signal);
      onChecked();
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ err: error, scac: claim.scac }, "carrier.not_checked");
    }
  };
  const claiming = repeat(
    checkCarriersEveryMs,
    async () => {
      for (const claim of await claimCarrierChecks(context.database.sql, leaseMs)) {
        const check = run(claim).finally(() => running.delete(check));
        running.add(check);
      }
    },
    (error) => logger.warn({ err: error }, "carrier.checks_not_claimed"),
    watched,
  );
  return {
    async stop() {
      stopping.abort();
      await claiming.stop();
      await Promise.all(running);
    },
  };
}
