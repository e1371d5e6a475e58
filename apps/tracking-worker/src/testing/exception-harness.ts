import { checkExceptions } from "../exceptions/check-exceptions.ts";
import { voyage } from "./dcsa-carrier.ts";
import { track } from "./tracked-number.ts";
import type { TrackingSetup } from "./tracking-setup.ts";

/** Value of `SET` for a container on hold. */
export const hold = `holds_at_pod_terminal = '[{"name": "customs", "status": "hold"}]'`;

interface StoredException {
  readonly kind: string;
  readonly details: { readonly days?: number; readonly etaChangeCause?: { readonly kind: string } };
  readonly resolution: string | null;
}

/** Checks the exceptions of tracked voyages as the worker does. */
export function createExceptionHarness(setup: TrackingSetup) {
  /** Subjects whose check failed. */
  const failed: string[] = [];
  const onFailure = (_error: unknown, subjectId: string): void => void failed.push(subjectId);

  /** Checks everything that is due. */
  async function check(accountId: string) {
    let sum = { opened: 0, resolved: 0 };
    for (;;) {
      const { checked, opened, resolved } = await checkExceptions(setup.context, accountId, onFailure);
      sum = { opened: sum.opened + opened, resolved: sum.resolved + resolved };
      if (checked === 0) return sum;
    }
  }

  return {
    failed,
    onFailure,
    check,
    exceptionsOf: (accountId: string) =>
      setup.rows<StoredException>(
        "SELECT kind, details, resolution FROM exceptions WHERE account_id = $1 ORDER BY opened_at, priority DESC",
        accountId,
      ),
    /** Tracks a number of a new account, with one container. */
    async trackVoyage(number: string) {
      setup.line.answer(number, voyage());
      const tracked = await track(setup, number);
      await check(tracked.accountId);
      const find = "SELECT id FROM containers WHERE account_id = $1";
      const { id: containerId } = await setup.row<{ id: string }>(find, tracked.accountId);
      return { ...tracked, containerId };
    },
    setContainer: (id: string, change: string) => setup.rows(`UPDATE containers SET ${change} WHERE id = $1`, id),
  };
}
