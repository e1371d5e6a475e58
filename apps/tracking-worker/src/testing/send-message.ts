import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { CarrierConnection, createCarriers } from "@svc/carriers";
import { uuidV7 } from "@svc/persistence";
import { storeEdiFile } from "@svc/persistence/edi-files";
import { storeEventMessage } from "@svc/persistence/event-messages";
import { createLogger, type WakeUpLoop } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { type MessageLoopOptions, startMessageLoop } from "../messages/message-loop.ts";
import { Semaphore } from "../poll/semaphore.ts";
import type { DcsaEvent } from "./dcsa-carrier.ts";
import { carrierScac, type TrackingSetup } from "./tracking-setup.ts";

/** The carriers that push to the setup. */
export const lines = createCarriers([
  CarrierConnection.parse({ scac: carrierScac, protocol: "dcsa-2.2", baseUrl: "http://127.0.0.1:9" }),
]);

/** Processes pushes and imports of the setup until it is stopped. */
export function startMessages(setup: TrackingSetup, options: Partial<MessageLoopOptions> = {}): WakeUpLoop {
  const logger = createLogger({ service: "test", level: "silent" });
  const common = { context: setup.context, offered: lines, owner: "messages", leaseMs: 10_000, logger };
  return startMessageLoop({ ...common, transactions: new Semaphore(3), ...options });
}

/** Processes every message that is due. */
export async function processMessages(setup: TrackingSetup): Promise<void> {
  const messages = startMessages(setup);
  messages.wake();
  const waiting = "SELECT id FROM event_messages WHERE due_at <= now() + interval '1 minute'";
  await eventually("every message is processed", async () => (await setup.rows(waiting)).length === 0, 30_000);
  await messages.stop();
}

/** A push body with the events of a bill of lading. */
export const pushOf = (number: string, events: readonly DcsaEvent[]): string =>
  JSON.stringify(
    events.map((event) => ({
      ...event,
      documentReferences: [{ documentReferenceType: "TRD", documentReferenceValue: number }],
    })),
  );

export interface MessageOptions {
  readonly accountId: string;
  readonly channel: "push" | "import";
  readonly text: string;
  readonly form?: "json" | "csv";
}

/** Stores a push or an import as the API does. @returns its id. */
export async function storeMessage(setup: TrackingSetup, options: MessageOptions): Promise<string> {
  const { accountId, channel, text, form = "json" } = options;
  const stored = await storeEventMessage(setup.database.tenantSql, accountId, {
    id: uuidV7.next(),
    channel,
    connectionId: null,
    scac: channel === "push" ? carrierScac : "",
    form,
    receivedAt: setup.clock.now(),
    contentHash: createHash("sha256").update(text).digest(),
    gzippedBody: gzipSync(text),
  });
  if (stored === null) throw new Error("Too many messages wait.");
  return stored.id;
}

/** Stores a push or an import and processes every due message. @returns the row of the message. */
export async function sendMessage(setup: TrackingSetup, options: MessageOptions): Promise<Record<string, unknown>> {
  const id = await storeMessage(setup, options);
  await processMessages(setup);
  return setup.row<Record<string, unknown>>("SELECT * FROM event_messages WHERE id = $1", id);
}

export interface EdiOptions {
  readonly accountId: string;
  readonly text: string;
  readonly partner?: string;
  readonly scac?: string | null;
}

/** Stores an EDI file as a folder does. @returns its id. */
export async function storeEdi(setup: TrackingSetup, options: EdiOptions): Promise<string> {
  const { accountId, text, partner = "standard", scac = null } = options;
  const stored = await storeEdiFile(setup.database.sql, accountId, {
    id: uuidV7.next(),
    name: null,
    source: "folder",
    partner,
    scac,
    receivedAt: setup.clock.now(),
    sizeBytes: Buffer.byteLength(text),
    contentHash: createHash("sha256").update(text).digest(),
    gzippedBody: gzipSync(text),
  });
  if (stored === null) throw new Error("Too many messages wait.");
  return stored.id;
}

/** Stores an EDI file and processes every due message. @returns the row of the file. */
export async function sendEdi(setup: TrackingSetup, options: EdiOptions): Promise<Record<string, unknown>> {
  const id = await storeEdi(setup, options);
  await processMessages(setup);
  return setup.row<Record<string, unknown>>("SELECT * FROM edi_files WHERE id = $1", id);
}
