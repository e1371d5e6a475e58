import { createHash } from "node:crypto";
import { setImmediate as immediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { PushedEvent } from "@svc/carriers";
import { readEventImport } from "@svc/domain/event-imports";
import type { ClaimedMessage } from "@svc/persistence/event-messages";
import type { ReceivedEvents } from "../apply/apply-events.ts";
import type { MessageContext } from "./message-context.ts";
import type { MessageScheduler } from "./message-scheduler.ts";
import { type ReadEdiFile, readEdiFile } from "./process-edi.ts";

const uncompress = promisify(gunzip);
const compress = promisify(gzip);

/** Each event of a file is about one container: only a pushed one can name those of several shipments. */
export interface ReadEvent
  extends Pick<PushedEvent, "event" | "numbers" | "drafts">,
    Partial<Pick<PushedEvent, "documents" | "ofContainers">> {
  readonly scac: string;
}

export interface ReadMessage {
  readonly events: readonly ReadEvent[];
  readonly skipped: number;
  /** Facts to record about an EDI file. */
  readonly edi?: ReadEdiFile;
}

/** Reading a large push takes longer than applying a small one, so that it takes turns, too. */
export async function readMessage(
  { offered, context }: MessageContext,
  message: ClaimedMessage,
  scheduler: MessageScheduler,
  signal: AbortSignal,
): Promise<ReadMessage> {
  const { channel, scac, form } = message;
  const body = await uncompress(message.body);
  const pause = async (): Promise<void> => {
    await immediate();
    await scheduler.next(message);
    signal.throwIfAborted();
  };
  if (form === "edi") {
    const edi = await readEdiFile(context, message, body, pause);
    const events = edi.events.map(({ draft, numbers, scac: carrier, source }) => {
      const received = { ...draft, messageReceivedAt: message.receivedAt };
      return { event: { ...received, source }, numbers, drafts: [received], scac: carrier };
    });
    return { events, skipped: edi.result.faultCount + edi.result.withoutCarrier, edi };
  }
  if (channel === "push") {
    const read = (await offered.get(scac)?.readPush?.(body, pause)) ?? null;
    if (read === null) return { events: [], skipped: 1 };
    return { events: read.events.map((event) => ({ ...event, scac })), skipped: read.skipped };
  }
  const read = readEventImport(form, body.toString("utf8"), context.places.timeZoneOf);
  if ("faults" in read) return { events: [], skipped: 1 };
  const events = read.events.map(({ scac: carrier, number, draft }) => {
    const received = { ...draft, messageReceivedAt: message.receivedAt };
    return { event: received, numbers: [number], drafts: [received], scac: carrier };
  });
  return { events, skipped: 0 };
}

/** The events of a subject, as they are applied and stored. */
export async function receivedEvents(
  { channel, id }: ClaimedMessage,
  share: readonly ReadEvent[],
): Promise<ReceivedEvents> {
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
