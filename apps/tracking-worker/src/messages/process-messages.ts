import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { OfferedCarrier, PushedEvent } from "@svc/carriers";
import { numberForms, type ObservationDraft, readEventImport } from "@svc/domain";
import {
  claimSubject,
  findSubjectsOfNumbers,
  finishEventMessage,
  releaseSubject,
  type TakenMessage,
  takeEventMessage,
} from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import { applyMessage } from "../apply/apply-reply.ts";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { ReceivedEvents } from "./received-events.ts";

export interface MessageProcessorOptions {
  readonly context: TrackingContext;
  readonly offered: ReadonlyMap<string, OfferedCarrier>;
  readonly owner: string;
  readonly leaseMs: number;
  readonly logger: Logger;
}

const messageLeaseMs = 30_000;
const busyRetryMs = 100;
const busyTries = 100;

/**
 * Takes messages one after the other until none is due. A worker that dies amid one leaves it to another: what was applied is
 * known by its fingerprint and changes nothing the second time.
 */
export async function processMessages(options: MessageProcessorOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const message = await takeEventMessage(options.context.database.sql, messageLeaseMs);
    if (message === null) return;
    await processMessage(options, message, signal);
  }
}

interface ReadMessage {
  readonly events: readonly (Omit<PushedEvent, "drafts"> & {
    readonly drafts: readonly ObservationDraft[];
    readonly scac: string;
  })[];
  readonly skipped: number;
}

function readMessage(
  { offered, context }: MessageProcessorOptions,
  { channel, scac, form, body }: TakenMessage,
): ReadMessage {
  const bytes = gunzipSync(body);
  if (channel === "push") {
    const read = offered.get(scac)?.readPush?.(bytes) ?? null;
    if (read === null) return { events: [], skipped: 1 };
    return { events: read.events.map((event) => ({ ...event, scac })), skipped: read.skipped };
  }
  const read = readEventImport(form, bytes.toString("utf8"), context.places.timeZoneOf);
  if ("faults" in read) return { events: [], skipped: 1 };
  const events = read.events.map(({ scac: carrier, number, draft }) => ({
    event: draft,
    numbers: [number],
    drafts: [draft],
    scac: carrier,
  }));
  return { events, skipped: 0 };
}

async function processMessage(
  options: MessageProcessorOptions,
  message: TakenMessage,
  signal: AbortSignal,
): Promise<void> {
  const { context, logger } = options;
  const { sql } = context.database;
  const { accountId } = message;
  const { events, skipped } = readMessage(options, message);
  const formsOf = events.map(({ numbers, scac }) => numbers.flatMap((number) => numberForms(number, scac)));
  const found = await findSubjectsOfNumbers(sql, accountId, [...new Set(formsOf.flat())]);
  const shares = new Map<string, (typeof events)[number][]>();
  let unknown = 0;
  events.forEach((event, index) => {
    const ids = new Set(
      found
        .filter(({ scac, number }) => scac === event.scac && formsOf[index]?.includes(number))
        .map(({ subjectId }) => subjectId),
    );
    if (ids.size === 0) unknown++;
    for (const id of ids) shares.set(id, [...(shares.get(id) ?? []), event]);
  });
  let newFacts = 0;
  for (const [subjectId, share] of shares) {
    const body = Buffer.from(JSON.stringify(share.map(({ event }) => event)));
    newFacts += await applyTo(options, accountId, subjectId, signal, {
      channel: message.channel,
      url: `${message.channel}:${message.id}`,
      body,
      contentHash: createHash("sha256").update(body).digest(),
      gzippedBody: gzipSync(body),
      drafts: share.flatMap(({ drafts }) => drafts),
    });
  }
  const counts = { events: events.length + skipped, applied: events.length - unknown, unknown, skipped, newFacts };
  await finishEventMessage(sql, message, counts);
  const about = { account_id: accountId, message_id: message.id, channel: message.channel, scac: message.scac };
  logger.info({ ...about, ...counts, subjects: shares.size }, "events.shared_out");
}

/** @returns how many facts were new. Throws when the subject stays busy: the message is then due again. */
async function applyTo(
  { context, owner, leaseMs }: MessageProcessorOptions,
  accountId: string,
  subjectId: string,
  signal: AbortSignal,
  message: ReceivedEvents,
): Promise<number> {
  const { sql } = context.database;
  let currentId = subjectId;
  for (let tries = 0; tries < busyTries; tries++) {
    signal.throwIfAborted();
    const claim = await claimSubject(sql, accountId, currentId, { owner, leaseMs });
    if (claim === null) {
      await new Promise((resolve) => setTimeout(resolve, busyRetryMs));
      continue;
    }
    try {
      const applied = await applyMessage(context, claim, message);
      if (applied.kind === "applied") return applied.newFacts;
      if (applied.kind === "moved") currentId = applied.subjectId;
    } catch (error) {
      await releaseSubject(sql, claim);
      throw error;
    }
  }
  throw new Error(`The subject ${subjectId} stays busy.`);
}
