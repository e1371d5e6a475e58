import { createHash } from "node:crypto";
import { setImmediate as immediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { OfferedCarrier, PushedEvent } from "@svc/carriers";
import { readEventImport } from "@svc/domain/event-imports";
import { numberForms } from "@svc/domain/identifiers";
import type { ObservationDraft } from "@svc/domain/observations";
import {
  type CarrierNumber,
  type ClaimedMessage,
  findSubjectsOfNumbers,
  finishEventMessage,
} from "@svc/persistence/event-messages";
import type { Logger } from "@svc/service-kit";
import type { ReceivedEvents } from "../apply/apply-events.ts";
import { applyMessage } from "../apply/apply-message.ts";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { AppliedPoll } from "../apply/settle-poll.ts";
import type { Semaphore } from "../poll/semaphore.ts";
import type { MessageTurns } from "./message-turns.ts";
import { finishEdi, type ReadEdiFile, readEdiFile } from "./process-edi.ts";

export interface MessageContext {
  readonly context: TrackingContext;
  readonly offered: ReadonlyMap<string, OfferedCarrier>;
  /** Id of the process, which holds the lease of a subject while events are applied to it. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Shared by all messages in progress and served in order of arrival, so a large message delays the others little. */
  readonly transactions: Semaphore;
  readonly logger: Logger;
}

const uncompress = promisify(gunzip);
const compress = promisify(gzip);
const busyRetryMs = 100;
const busyTries = 100;
/**
 * Subjects of one message updated concurrently: fewer than the transactions, so that one is free for other accounts.
 */
const subjectsAtOnce = 2;
/** Events that are applied in one transaction: more of one subject are applied in parts, so that each step is short. */
const eventsPerStep = 500;
const noOutcomes: ReadonlyMap<string, AppliedPoll> = new Map();
/** Subjects in one transaction: more of them save little, and delay the messages of others. */
const subjectsPerStep = 8;

interface ReadEvent extends Omit<PushedEvent, "drafts"> {
  readonly drafts: readonly ObservationDraft[];
  readonly scac: string;
}

interface ReadMessage {
  readonly events: readonly ReadEvent[];
  readonly skipped: number;
  /** Facts to record about an EDI file. */
  readonly edi?: ReadEdiFile;
}

/** Reading a large push takes longer than applying a small one, so that it takes turns, too. */
async function readMessage(
  { offered, context }: MessageContext,
  message: ClaimedMessage,
  turns: MessageTurns,
  signal: AbortSignal,
): Promise<ReadMessage> {
  const { channel, scac, form } = message;
  const body = await uncompress(message.body);
  const pause = async (): Promise<void> => {
    await immediate();
    await turns.next(message);
    signal.throwIfAborted();
  };
  if (form === "edi") {
    const edi = await readEdiFile(context, message, body, pause);
    const events = edi.events.map(({ draft, numbers, scac: carrier, source }) => ({
      ...{ event: { ...draft, source }, numbers, drafts: [draft], scac: carrier },
    }));
    return { events, skipped: edi.result.faultCount + edi.result.withoutCarrier, edi };
  }
  if (channel === "push") {
    const read = (await offered.get(scac)?.readPush?.(body, pause)) ?? null;
    if (read === null) return { events: [], skipped: 1 };
    return { events: read.events.map((event) => ({ ...event, scac })), skipped: read.skipped };
  }
  const read = readEventImport(form, body.toString("utf8"), context.places.timeZoneOf);
  if ("faults" in read) return { events: [], skipped: 1 };
  const events = read.events.map(({ scac: carrier, number, draft }) => ({
    event: draft,
    numbers: [number],
    drafts: [draft],
    scac: carrier,
  }));
  return { events, skipped: 0 };
}

/** The events of a message by the live subjects of their numbers; those of no live subject by their index. */
interface MatchedEvents {
  readonly indexesBySubject: ReadonlyMap<string, readonly number[]>;
  readonly inactive: ReadonlySet<number>;
  readonly unknown: ReadonlySet<number>;
}

const keyOf = ({ scac, number }: CarrierNumber): string => `${scac} ${number}`;

async function matchEvents(
  { context }: MessageContext,
  accountId: string,
  events: readonly ReadEvent[],
): Promise<MatchedEvents> {
  const numbersOf = events.map(({ numbers, scac }) =>
    numbers.flatMap((text) => numberForms(text, scac)).map((number): CarrierNumber => ({ scac, number })),
  );
  const distinct = new Map(numbersOf.flat().map((number) => [keyOf(number), number]));
  const found = await findSubjectsOfNumbers(context.database.sql, accountId, [...distinct.values()]);
  const subjectsByNumber = Map.groupBy(found, keyOf);
  const indexesBySubject = new Map<string, number[]>();
  const inactive = new Set<number>();
  const unknown = new Set<number>();
  for (const [index, numbers] of numbersOf.entries()) {
    const subjects = numbers.flatMap((number) => subjectsByNumber.get(keyOf(number)) ?? []);
    const live = new Set(subjects.flatMap(({ subjectId, isLive }) => (isLive ? subjectId : [])));
    for (const subjectId of live) {
      const indexes = indexesBySubject.get(subjectId);
      if (indexes === undefined) indexesBySubject.set(subjectId, [index]);
      else indexes.push(index);
    }
    if (live.size === 0) (subjects.length > 0 ? inactive : unknown).add(index);
  }
  return { indexesBySubject, inactive, unknown };
}

/**
 * Applies the events of a message to the subjects of their numbers, a few subjects in each transaction, and records
 * the result. All events of a step of a subject are applied or none. It is idempotent: events are identified by their
 * fingerprints.
 */
export async function processMessage(
  options: MessageContext,
  message: ClaimedMessage,
  turns: MessageTurns,
  signal: AbortSignal,
): Promise<void> {
  const { logger } = options;
  const { accountId, channel } = message;
  const { events, skipped, edi } = await readMessage(options, message, turns, signal);
  const { indexesBySubject, inactive, unknown } = await matchEvents(options, accountId, events);
  const applied = new Set<number>();
  let newFacts = 0;
  const shareOf = (indexes: readonly number[]) =>
    receivedEvents(
      message,
      indexes.flatMap((index) => events[index] ?? []),
    );
  const count = (indexes: readonly number[], { isLive, newFacts: facts }: AppliedEvents): void => {
    if (isLive) for (const index of indexes) applied.add(index);
    newFacts += facts;
  };
  /** All events of a subject, in as many steps as they take. */
  const applyAlone = async (firstId: string, all: readonly number[]): Promise<void> => {
    let subjectId = firstId;
    for (let start = 0; start < all.length; start += eventsPerStep) {
      const indexes = all.slice(start, start + eventsPerStep);
      await turns.next(message);
      signal.throwIfAborted();
      const outcome = await applyTo(options, { accountId, subjectId }, await shareOf(indexes), signal);
      count(indexes, outcome);
      subjectId = outcome.subjectId;
    }
  };
  const steps = groupedSubjects(indexesBySubject)[Symbol.iterator]();
  const applyNext = async (): Promise<void> => {
    for (const group of steps) {
      await turns.next(message, group.length);
      signal.throwIfAborted();
      const outcomes =
        group.length === 1 ? noOutcomes : await applyGroup(options, accountId, await sharesOf(group, shareOf));
      const failures: unknown[] = [];
      for (const [subjectId, indexes] of group) {
        const outcome = outcomes.get(subjectId);
        if (outcome?.kind === "applied") count(indexes, outcome);
        else {
          const id = outcome?.kind === "moved" ? outcome.subjectId : subjectId;
          await applyAlone(id, indexes).catch((error: unknown) => failures.push(error));
        }
      }
      if (failures.length > 0) throw failures[0];
    }
  };
  const lanes = Array.from({ length: Math.min(subjectsAtOnce, indexesBySubject.size) }, applyNext);
  // All have ended before the message is released to others.
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  const unappliedRows = channel !== "import" ? [] : [...events.keys()].filter((index) => !applied.has(index));
  const counts = {
    events: events.length + skipped,
    applied: applied.size,
    // Events whose tracking ended while the message was processed count, too.
    inactive: inactive.size + (events.length - applied.size - inactive.size - unknown.size),
    unknown: unknown.size,
    skipped,
    newFacts,
  };
  if (edi !== undefined) {
    const untracked = events.length - applied.size;
    await finishEdi(options.context, message, edi, { applied: applied.size, untracked, newFacts });
  }
  await finishEventMessage(options.context.database.sql, message, {
    ...counts,
    unappliedRows: unappliedRows.map((index) => index + 1),
  });
  const about = { account_id: accountId, message_id: message.id, channel, scac: message.scac };
  logger.info({ ...about, ...counts, subjects: indexesBySubject.size }, "event_message.processed");
}

async function receivedEvents({ channel, id }: ClaimedMessage, share: readonly ReadEvent[]): Promise<ReceivedEvents> {
  const body = Buffer.from(JSON.stringify(share.map(({ event }) => event)));
  return {
    channel,
    url: `${channel}:${id}`,
    body,
    contentHash: createHash("sha256").update(body).digest(),
    gzippedBody: await compress(body),
    drafts: share.flatMap(({ drafts }) => drafts),
  };
}

/** A subject with the indexes of its events. */
type IndexesOfSubject = readonly [subjectId: string, indexes: readonly number[]];

/** Subjects that are applied in one transaction. One with many events is alone. */
function* groupedSubjects(indexesBySubject: MatchedEvents["indexesBySubject"]): Generator<readonly IndexesOfSubject[]> {
  let group: IndexesOfSubject[] = [];
  let events = 0;
  for (const subject of indexesBySubject) {
    const [, indexes] = subject;
    if (group.length > 0 && (group.length === subjectsPerStep || events + indexes.length > eventsPerStep)) {
      yield group;
      group = [];
      events = 0;
    }
    group.push(subject);
    events += indexes.length;
  }
  if (group.length > 0) yield group;
}

async function sharesOf(
  group: readonly IndexesOfSubject[],
  shareOf: (indexes: readonly number[]) => Promise<ReceivedEvents>,
): Promise<ReadonlyMap<string, ReceivedEvents>> {
  return new Map(
    await Promise.all(group.map(async ([subjectId, indexes]) => [subjectId, await shareOf(indexes)] as const)),
  );
}

/**
 * Applies the events of several subjects in one transaction. If it fails, nothing was written, and each subject is
 * applied alone: the failure of one does not concern the others.
 */
async function applyGroup(
  { context, owner, leaseMs, transactions, logger }: MessageContext,
  accountId: string,
  received: ReadonlyMap<string, ReceivedEvents>,
): Promise<ReadonlyMap<string, AppliedPoll>> {
  try {
    return await transactions.run(() => applyMessage(context, accountId, received, { owner, leaseMs }));
  } catch (error) {
    logger.warn({ account_id: accountId, subjects: received.size, err: error }, "event_message.applied_one_by_one");
    return noOutcomes;
  }
}

type AppliedEvents = Extract<AppliedPoll, { kind: "applied" }>;

/** `subjectId`: of the subject that the events were applied to, which tracks the number from now on. */
type AppliedStep = AppliedEvents & { readonly subjectId: string };

/** Throws when the subject stays leased by others: the message is then due again. */
async function applyTo(
  { context, owner, leaseMs, transactions }: MessageContext,
  { accountId, subjectId }: { readonly accountId: string; readonly subjectId: string },
  received: ReceivedEvents,
  signal: AbortSignal,
): Promise<AppliedStep> {
  let currentId = subjectId;
  for (let tries = 0; tries < busyTries; tries++) {
    signal.throwIfAborted();
    const ofSubject = new Map([[currentId, received]]);
    const outcomes = await transactions.run(() => applyMessage(context, accountId, ofSubject, { owner, leaseMs }));
    const applied = outcomes.get(currentId);
    if (applied?.kind === "applied") return { ...applied, subjectId: currentId };
    if (applied?.kind === "moved") currentId = applied.subjectId;
    else await new Promise((resolve) => setTimeout(resolve, busyRetryMs));
  }
  throw new Error(`The subject ${subjectId} stays leased by another worker.`);
}
