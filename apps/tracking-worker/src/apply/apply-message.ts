import { claimSubjects, releaseSubject } from "@svc/persistence/tracking";
import { applyReceivedEvents, type ReceivedEvents } from "./apply-events.ts";
import { openTransaction, type PollTransaction, type TrackingContext } from "./poll-transaction.ts";
import { type AppliedPoll, settlePoll } from "./settle-poll.ts";

/**
 * Applies events that were pushed, imported or sent to several subjects of an account in one transaction: their
 * statements share round trips, and one commit. The times of the next polls do not change.
 * @param received by the id of the subject.
 * @returns by the id of the subject. Absent are subjects that another worker has claimed, and those with the shipment
 * or the number of another one: what one of them writes the other must have read.
 */
export function applyMessage(
  context: TrackingContext,
  accountId: string,
  received: ReadonlyMap<string, ReceivedEvents>,
  lease: { readonly owner: string; readonly leaseMs: number },
): Promise<ReadonlyMap<string, AppliedPoll>> {
  return context.database.transaction(async (sql) => {
    const claims = await claimSubjects(sql, accountId, [...received.keys()], lease);
    const opened = await waitForAll(claims.map((claim) => openTransaction(context, sql, claim)));
    const polls = selectIndependent(opened.filter((poll) => poll !== null));
    const claimed = new Set(polls.map(({ claim }) => claim.id));
    await waitForAll(claims.filter(({ id }) => !claimed.has(id)).map((claim) => releaseSubject(sql, claim)));
    const applied = await waitForAll(
      polls.map(async (poll) => {
        const { id } = poll.claim;
        const message = received.get(id);
        if (message === undefined) throw new Error(`The subject ${id} was claimed without events.`);
        return [id, await settlePoll(poll, () => applyReceivedEvents(poll, message), "keep_schedule")] as const;
      }),
    );
    return new Map(applied);
  });
}

/** Waits for all of them, even if one fails: a statement after the rollback would be outside the transaction. */
async function waitForAll<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}

/** The polls of which no two have a shipment, or the number of a shipment to be created, in common. */
function selectIndependent(polls: readonly PollTransaction[]): PollTransaction[] {
  const seen = new Set<string>();
  return polls.filter(({ claim, shipment, waiting }) => {
    const numbers = waiting.map(({ normalizedNumber }) => `${claim.scac} ${normalizedNumber}`);
    const keys = shipment === null ? numbers : [shipment.id, ...numbers];
    const isIndependent = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isIndependent;
  });
}
