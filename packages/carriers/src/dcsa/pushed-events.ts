import type { ObservationDraft } from "@svc/domain";
import { readEvents } from "./events-page.ts";
import type { EventReader } from "./read-events.ts";

/** An event that came unasked, with every number by which its subject may be known. */
export interface PushedEvent {
  readonly event: unknown;
  readonly numbers: readonly string[];
  readonly drafts: readonly ObservationDraft[];
}

export interface PushedEvents {
  readonly events: readonly PushedEvent[];
  /** Events that could not be read. */
  readonly skipped: number;
}

const eventsMax = 10_000;
/** Events that are read before other work of the process gets a turn. */
const eventsPerTurn = 100;

/** What a push holds; null when it is no list of events. `asVersion2` brings an event's references to where 2.2 has them. */
export async function readPushedEvents(
  body: Uint8Array,
  member: string,
  read: EventReader,
  asVersion2: (event: unknown) => unknown,
): Promise<PushedEvents | null> {
  const list = readEvents(body, member);
  if (list === null) return null;
  const events: PushedEvent[] = [];
  for (const [index, event] of list.slice(0, eventsMax).entries()) {
    if (index % eventsPerTurn === eventsPerTurn - 1) await new Promise((resolve) => setImmediate(resolve));
    const drafts = read(event);
    if (drafts !== null) events.push({ event, drafts, numbers: numbersOf(asVersion2(event), drafts) });
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
