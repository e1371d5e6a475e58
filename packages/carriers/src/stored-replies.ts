import type { ObservationDraft, SubjectKind, TimeZoneOf } from "@svc/domain";
import type { CarrierConnection } from "./carrier-connection.ts";
import { concerns } from "./dcsa/dcsa-carrier.ts";
import { readEvents } from "./dcsa/events-page.ts";
import { dcsaReaderOf } from "./dcsa/read-events.ts";
import { readTerminalReply } from "./terminal/terminal-source.ts";
import { testLine } from "./test-line/test-line.ts";

/** What a stored reply answered. */
export interface StoredQuestion {
  readonly kind: SubjectKind;
  /** Of the line, or the code of the terminal. */
  readonly scac: string;
  readonly number: string;
}

export interface StoredReading {
  readonly drafts: readonly ObservationDraft[];
  /** Events that could not be read. */
  readonly skipped: number;
}

/** Reads a stored body as it was read when it came; null: nobody knows how, or it cannot be read. */
export type StoredReplyReader = (question: StoredQuestion, body: Uint8Array) => StoredReading | null;

/** By the connections as they are now: the quirks of a line belong to how its replies are read. */
export function createStoredReplyReader(
  connections: readonly CarrierConnection[],
  timeZoneOf: TimeZoneOf,
): StoredReplyReader {
  const byScac = new Map(connections.map((connection) => [connection.scac, connection]));
  return (question, body) => {
    const { kind, scac, number } = question;
    if (kind === "terminal_container") return readTerminal(body, number);
    if (scac === testLine.scac) return { drafts: JSON.parse(textOf(body)) as ObservationDraft[], skipped: 0 };
    const connection = byScac.get(scac);
    const events = connection && eventsOf(body, connection.profile.eventsMember);
    if (connection === undefined || events == null) return null;
    const read = dcsaReaderOf(connection, timeZoneOf);
    const readings = events.map(read);
    const drafts = readings.flatMap((drafts) => drafts ?? []).filter(concerns({ kind, number }));
    return { drafts, skipped: readings.filter((drafts) => drafts === null).length };
  };
}

function readTerminal(body: Uint8Array, number: string): StoredReading | null {
  const reply = readTerminalReply({ body, url: "", httpStatus: 200 }, number);
  return reply.outcome === "found" ? reply : null;
}

/** Several pages are stored as an array of their documents (`ReceivedReply.body`). */
function eventsOf(body: Uint8Array, member: string): readonly unknown[] | null {
  return readEvents(body, member)?.flatMap((one) => pageOf(one, member)) ?? null;
}

function pageOf(one: unknown, member: string): readonly unknown[] {
  if (Array.isArray(one)) return one;
  const wrapped = (one as Record<string, unknown> | null)?.[member];
  return Array.isArray(wrapped) ? wrapped : [one];
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}
