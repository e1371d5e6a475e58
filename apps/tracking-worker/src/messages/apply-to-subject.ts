import { setTimeout as sleep } from "node:timers/promises";
import type { ReceivedEvents } from "../apply/apply-events.ts";
import { applyMessage } from "../apply/apply-message.ts";
import type { AppliedPoll } from "../apply/settle-poll.ts";
import type { MessageContext } from "./message-context.ts";

const busyRetryMs = 100;
const busyTries = 100;

/**
 * Applies the events of several subjects in one transaction. If it fails, nothing was written, and each subject is
 * applied alone: the failure of one does not concern the others.
 */
export async function applyGroup(
  { context, owner, leaseMs, transactions, logger }: MessageContext,
  accountId: string,
  received: ReadonlyMap<string, ReceivedEvents>,
): Promise<ReadonlyMap<string, AppliedPoll>> {
  try {
    return await transactions.run(() => applyMessage(context, accountId, received, { owner, leaseMs }));
  } catch (error) {
    logger.warn({ account_id: accountId, subjects: received.size, err: error }, "event_message.applied_one_by_one");
    return new Map();
  }
}

export type AppliedEvents = Extract<AppliedPoll, { kind: "applied" }>;

/** `subjectId`: of the subject that the events were applied to, which tracks the number from now on. */
type AppliedStep = AppliedEvents & { readonly subjectId: string };

/** Applies events to one subject. Throws when the subject stays leased by others: the message is then due again. */
export async function applyTo(
  { context, owner, leaseMs, transactions }: MessageContext,
  { accountId, subjectId }: { readonly accountId: string; readonly subjectId: string },
  received: ReceivedEvents,
  signal: AbortSignal,
): Promise<AppliedStep> {
  let currentId = subjectId;
  for (let tries = 0; tries < busyTries; tries++) {
    signal.throwIfAborted();
    const receivedBySubject = new Map([[currentId, received]]);
    const outcomes = await transactions.run(() =>
      applyMessage(context, accountId, receivedBySubject, { owner, leaseMs }),
    );
    const applied = outcomes.get(currentId);
    if (applied?.kind === "applied") return { ...applied, subjectId: currentId };
    if (applied?.kind === "moved") currentId = applied.subjectId;
    else await sleep(busyRetryMs);
  }
  throw new Error(`The subject ${subjectId} stays leased by another worker.`);
}
