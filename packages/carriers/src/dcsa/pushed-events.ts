import type { ObservationDraft } from "@svc/domain/observations";
import type { EventReader } from "./dcsa-version.ts";
import { readEvents } from "./events-page.ts";

/** An event pushed by the carrier, with all numbers by which its subject may be known. */
export interface PushedEvent {
  readonly event: unknown;
  readonly numbers: readonly string[];
  readonly drafts: readonly ObservationDraft[];
}

export interface PushedEvents {
  readonly events: readonly PushedEvent[];
  /** Number of events that could not be parsed. */
  readonly skipped: number;
}

const eventsMax = 10_000;
/** Events parsed between two pauses. */
const eventsPerTurn = 100;

/** Lets other work run; resolves when reading may go on. */
export type Pause = () => Promise<void>;

export const yieldToEventLoop: Pause = () => new Promise((resolve) => setImmediate(resolve));

/** Reads a push; null when it is not a list of events. `toVersion2` converts an event's references to those of 2.2. */
export async function readPushedEvents(
  body: Uint8Array,
  member: string,
  read: EventReader,
  toVersion2: (event: unknown) => unknown,
  pause: Pause,
): Promise<PushedEvents | null> {
  const list = readEvents(body, member);
  if (list === null) return null;
  const events: PushedEvent[] = [];
  for (const [index, event] of list.slice(0, eventsMax).entries()) {
    if (index % eventsPerTurn === eventsPerTurn - 1) await pause();
    const drafts = read(event);
    if (drafts !== null) events.push({ event, drafts, numbers: numbersOf(toVersion2(event), drafts) });
  }
  return { events, skipped: list.length - events.length };
}

const numberTypes = new Set(["BKG", "TRD", "SHI", "CBR"]);

function numbersOf(event: unknown, drafts: readonly ObservationDraft[]): string[] {
  const references = (event as { documentReferences?: unknown }).documentReferences;
  const documents = (Array.isArray(references) ? references : []).flatMap((reference: unknown) => {
    const { documentReferenceType: type, documentReferenceValue: value } = (reference ?? {}) as Record<string, unknown>;
    return typeof value === "string" && numberTypes.has(String(type)) ? [value] : [];
  });
  const own = drafts.flatMap(({ containerNumber, documentId, documentType }) => [
    ...(containerNumber === null ? [] : [containerNumber]),
    ...(documentId !== null && numberTypes.has(documentType ?? "") ? [documentId] : []),
  ]);
  return [...new Set([...documents, ...own])];
}
