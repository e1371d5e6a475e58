import { type ClaimedMessage, finishEventMessage } from "@svc/persistence/event-messages";
import { type AppliedEvents, applyGroup, applyTo } from "./apply-to-subject.ts";
import { type MatchedEvents, matchEvents, type SubjectEvent } from "./match-events.ts";
import type { MessageContext } from "./message-context.ts";
import type { MessageScheduler } from "./message-scheduler.ts";
import { finishEdi } from "./process-edi.ts";
import { type ReadMessage, readMessage, receivedEvents } from "./read-message.ts";

/**
 * Subjects of one message updated concurrently: fewer than the transactions, so that one is free for other accounts.
 */
const subjectConcurrency = 2;
/** Events that are applied in one transaction: more of one subject are applied in parts, so that each step is short. */
const eventsPerStep = 500;
/** Subjects in one transaction: more of them save little, and delay the messages of others. */
const subjectsPerStep = 8;

/** A subject with its events. */
type SubjectEvents = readonly [subjectId: string, events: readonly SubjectEvent[]];

/** Subjects that are applied in one transaction. One with many events is alone. */
function* groupedSubjects(bySubject: MatchedEvents["bySubject"]): Generator<readonly SubjectEvents[]> {
  let group: SubjectEvents[] = [];
  let events = 0;
  for (const subject of bySubject) {
    const [, own] = subject;
    if (group.length > 0 && (group.length === subjectsPerStep || events + own.length > eventsPerStep)) {
      yield group;
      group = [];
      events = 0;
    }
    group.push(subject);
    events += own.length;
  }
  if (group.length > 0) yield group;
}

/** The events that were applied, and the facts that were new. */
class AppliedCounts {
  readonly #applied = new Set<number>();
  #newFacts = 0;

  add(events: readonly SubjectEvent[], { isLive, newFacts }: AppliedEvents): void {
    if (isLive) for (const { index } of events) this.#applied.add(index);
    this.#newFacts += newFacts;
  }

  has(index: number): boolean {
    return this.#applied.has(index);
  }

  get applied(): number {
    return this.#applied.size;
  }

  get newFacts(): number {
    return this.#newFacts;
  }
}

interface MessageWork {
  readonly options: MessageContext;
  readonly message: ClaimedMessage;
  readonly scheduler: MessageScheduler;
  readonly signal: AbortSignal;
  readonly counts: AppliedCounts;
}

const selectEvents = ({ message }: MessageWork, events: readonly SubjectEvent[]) =>
  receivedEvents(
    message,
    events.map(({ event }) => event),
  );

/** Applies all events of a subject, in as many steps as they take. */
async function applyAlone(work: MessageWork, firstId: string, all: readonly SubjectEvent[]): Promise<void> {
  const { options, message, scheduler, signal, counts } = work;
  let subjectId = firstId;
  for (let start = 0; start < all.length; start += eventsPerStep) {
    const events = all.slice(start, start + eventsPerStep);
    await scheduler.next(message);
    signal.throwIfAborted();
    const subject = { accountId: message.accountId, subjectId };
    const outcome = await applyTo(options, subject, await selectEvents(work, events), signal);
    counts.add(events, outcome);
    subjectId = outcome.subjectId;
  }
}

/** Applies the events of several subjects in one transaction, and alone those that were not applied with the others. */
async function applySubjects(work: MessageWork, group: readonly SubjectEvents[]): Promise<void> {
  const { options, message, scheduler, signal, counts } = work;
  await scheduler.next(message, group.length);
  signal.throwIfAborted();
  const eventsBySubject = async () =>
    new Map(await Promise.all(group.map(async ([id, events]) => [id, await selectEvents(work, events)] as const)));
  const outcomes = group.length === 1 ? null : await applyGroup(options, message.accountId, await eventsBySubject());
  const failures: unknown[] = [];
  for (const [subjectId, events] of group) {
    const outcome = outcomes?.get(subjectId);
    if (outcome?.kind === "applied") counts.add(events, outcome);
    else {
      const id = outcome?.kind === "moved" ? outcome.subjectId : subjectId;
      await applyAlone(work, id, events).catch((error: unknown) => failures.push(error));
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Applies the events of all subjects, a few at once. Throws the first failure after all have ended. */
async function applyGroups(work: MessageWork, bySubject: MatchedEvents["bySubject"]): Promise<void> {
  const groups = groupedSubjects(bySubject)[Symbol.iterator]();
  const applyNext = async (): Promise<void> => {
    for (const group of groups) await applySubjects(work, group);
  };
  const workers = Array.from({ length: Math.min(subjectConcurrency, bySubject.size) }, applyNext);
  // All have ended before the message is released to others.
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function messageResult({ events, skipped }: ReadMessage, { inactive, unknown }: MatchedEvents, counts: AppliedCounts) {
  return {
    events: events.length + skipped,
    applied: counts.applied,
    // Events whose tracking ended while the message was processed count, too.
    inactive: inactive.size + (events.length - counts.applied - inactive.size - unknown.size),
    unknown: unknown.size,
    skipped,
    newFacts: counts.newFacts,
  };
}

/**
 * Applies the events of a message to the subjects of their numbers, a few subjects in each transaction, and records
 * the result. All events of a step of a subject are applied or none. It is idempotent: events are identified by their
 * fingerprints.
 */
export async function processMessage(
  options: MessageContext,
  message: ClaimedMessage,
  scheduler: MessageScheduler,
  signal: AbortSignal,
): Promise<void> {
  const { context, logger } = options;
  const { accountId, channel } = message;
  const read = await readMessage(options, message, scheduler, signal);
  const { events, edi } = read;
  const matched = await matchEvents(options, accountId, events);
  const counts = new AppliedCounts();
  await applyGroups({ options, message, scheduler, signal, counts }, matched.bySubject);
  const result = messageResult(read, matched, counts);
  if (edi !== undefined) {
    const { applied, newFacts } = result;
    await finishEdi(context, message, edi, { applied, untracked: events.length - applied, newFacts });
  }
  const unappliedRows = channel !== "import" ? [] : [...events.keys()].filter((index) => !counts.has(index));
  await finishEventMessage(context.database.sql, message, {
    ...result,
    unappliedRows: unappliedRows.map((index) => index + 1),
  });
  const about = { account_id: accountId, message_id: message.id, channel, scac: message.scac };
  logger.info({ ...about, ...result, subjects: matched.bySubject.size }, "event_message.processed");
}
