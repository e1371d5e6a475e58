import {
  type Observation,
  type ObservationChanges,
  type ObservationDraft,
  planObservationChanges,
} from "@svc/domain/observations";
import { uuidV7 } from "@svc/persistence";
import {
  accountSuppliedIds,
  addObservations,
  closeObservations,
  findLastReplyId,
  findObservations,
  hashValues,
  setMissingSince,
  storeReply,
} from "@svc/persistence/tracking";
import type { SubjectObservation } from "../notify/shipment-update.ts";
import type { Evidence } from "../poll/prepared-reply.ts";
import type { PollTransaction } from "./poll-transaction.ts";

export interface RecordedObservations {
  /** All observations of the shipment, those of the reply included. */
  readonly known: readonly SubjectObservation[];
  readonly observations: readonly Observation[];
  /** The ids of the observations from imports and pushes of the account. */
  readonly accountSupplied: ReadonlySet<string>;
  readonly changes: ObservationChanges;
}

/** Stores the changes of the reply, and the reply as their evidence. A reply without changes is not stored. */
export async function recordObservations(
  poll: PollTransaction,
  reply: { readonly drafts: readonly ObservationDraft[]; readonly skipped: number },
  evidence: Evidence,
): Promise<RecordedObservations> {
  const { sql, claim, context, shipment, now } = poll;
  const known = await findObservations(sql, claim, shipment?.id ?? null);
  const changes = planObservationChanges(
    known.filter(({ subjectId }) => subjectId === claim.id),
    reply.drafts,
    {
      isComplete: evidence.channel === "poll" && isComplete(reply, poll),
      observedAt: now,
      places: context.places,
      nextId: uuidV7.next,
      hash: hashValues,
    },
  );
  if (changes.added.length + changes.missing.length === 0 && !(await isFirstReply(poll, evidence))) {
    return {
      known,
      observations: known.map(({ observation }) => observation),
      accountSupplied: accountSuppliedIds(known),
      changes,
    };
  }
  const rawReplyId = await storeEvidence(poll, evidence, reply.drafts.length);
  await closeObservations(sql, claim.accountId, changes.closedIds, now);
  await addObservations(sql, claim, rawReplyId, changes.added);
  await setMissingSince(sql, claim.accountId, changes.missing);
  const added = evidence.channel === "poll" ? [] : changes.added.map(({ observation }) => observation.id);
  const all = [...known, ...changes.added.map(({ observation }) => ({ subjectId: claim.id, observation }))];
  return {
    known: all,
    observations: all.map(({ observation }) => observation),
    accountSupplied: new Set([...accountSuppliedIds(known), ...added]),
    changes,
  };
}

/**
 * The first reply of a poll is stored even if an import reported all of it: later replies are compared with its
 * bytes.
 */
async function isFirstReply({ sql, claim }: PollTransaction, { channel, gzippedBody }: Evidence): Promise<boolean> {
  return channel === "poll" && gzippedBody !== null && (await findLastReplyId(sql, claim)) === null;
}

/**
 * A carrier reports every event in each reply, so a missing event is withdrawn. A terminal reports its current events
 * only.
 */
function isComplete({ skipped }: { readonly skipped: number }, { claim }: PollTransaction): boolean {
  return skipped === 0 && claim.kind !== "terminal_container";
}

/** @returns the id of the stored reply: the previous one when the bytes are the same. */
export async function storeEvidence(poll: PollTransaction, evidence: Evidence, eventCount: number): Promise<string> {
  const { sql, claim, now } = poll;
  const { gzippedBody, ...rest } = evidence;
  if (gzippedBody !== null) return storeReply(sql, claim, { ...rest, gzippedBody, receivedAt: now, eventCount });
  const lastId = await findLastReplyId(sql, claim);
  if (lastId === null) throw new Error("A reply equals the last one of its subject, but none is stored.");
  return lastId;
}
