import { normalizeContainerNumber } from "@svc/domain/identifiers";
import type { ObservationDraft } from "@svc/domain/observations";
import type { EventReader } from "./dcsa-dialect.ts";
import { readEvents } from "./events-page.ts";

/** An event pushed by the carrier, with all numbers by which its subject may be known. */
export interface PushedEvent {
  readonly event: unknown;
  readonly numbers: readonly string[];
  /** Those of documents that are the only one of their type: all containers of the event are theirs. */
  readonly documents: readonly string[];
  readonly drafts: readonly ObservationDraft[];
  /**
   * The event with those of its containers only; null when it names none of them. Absent when it names at most one:
   * several documents share it.
   */
  readonly ofContainers?: (containers: ReadonlySet<string>) => Pick<PushedEvent, "event" | "drafts"> | null;
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
    if (drafts !== null) events.push(toPushedEvent(event, drafts, toVersion2(event), read));
  }
  return { events, skipped: list.length - events.length };
}

function toPushedEvent(
  event: unknown,
  drafts: readonly ObservationDraft[],
  asVersion2: unknown,
  read: EventReader,
): PushedEvent {
  const documents = documentsOf(asVersion2, drafts);
  const containers = new Set(drafts.flatMap(({ containerNumber }) => containerNumber ?? []));
  const byType = [...Map.groupBy(documents, ({ type }) => type).values()];
  const pushed = {
    event,
    drafts,
    numbers: [...new Set([...documents.map(({ number }) => number), ...containers])],
    documents: byType.flatMap((ofType) => {
      const numbers = [...new Set(ofType.map(({ number }) => number))];
      return numbers.length === 1 ? numbers : [];
    }),
  };
  return containers.size <= 1 ? pushed : { ...pushed, ofContainers: narrowing(event, read) };
}

/** Drops the references to other containers. The result is stored, so that reading it again gives the same events. */
function narrowing(event: unknown, read: EventReader): NonNullable<PushedEvent["ofContainers"]> {
  const { references } = event as { readonly references?: unknown };
  const named = (Array.isArray(references) ? references : []).map((reference: unknown) => {
    const { referenceType: type, referenceValue: value } = (reference ?? {}) as Record<string, unknown>;
    const isContainer = String(type).trim().toUpperCase() === "EQ";
    return { reference, container: isContainer ? normalizeContainerNumber(String(value)) : null };
  });
  return (containers) => {
    const kept = named.filter(({ container }) => container === null || containers.has(container));
    const narrowed = { ...(event as object), references: kept.map(({ reference }) => reference) };
    const drafts = read(narrowed)?.filter(({ containerNumber }) => containers.has(containerNumber ?? "")) ?? [];
    return drafts.length === 0 ? null : { event: narrowed, drafts };
  };
}

const numberTypes = new Set(["BKG", "TRD", "SHI", "CBR"]);

interface NamedDocument {
  readonly type: string;
  readonly number: string;
}

function documentsOf(event: unknown, drafts: readonly ObservationDraft[]): readonly NamedDocument[] {
  const references = (event as { documentReferences?: unknown }).documentReferences;
  const listed = (Array.isArray(references) ? references : []).flatMap((reference: unknown): NamedDocument[] => {
    const { documentReferenceType: type, documentReferenceValue: value } = (reference ?? {}) as Record<string, unknown>;
    return typeof value === "string" && numberTypes.has(String(type)) ? [{ type: String(type), number: value }] : [];
  });
  const own = drafts.flatMap(({ documentId, documentType }): NamedDocument[] =>
    documentId !== null && documentType !== null && numberTypes.has(documentType)
      ? [{ type: documentType, number: documentId }]
      : [],
  );
  return [...listed, ...own];
}
