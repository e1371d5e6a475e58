import type { EdiFileFault } from "@svc/domain/edi-files";
import { buildAcknowledgement } from "./acknowledgement.ts";
import { UnreadableFile } from "./fault.ts";
import { type EdiEvent, type EdiNote, MessageFacts, type ReadingOptions } from "./message-facts.ts";
import { type Interchange, MessageReader } from "./messages.ts";
import { readCoarri, readCodeco, readIftsta } from "./read-edifact.ts";
import { read301, read315, read322 } from "./read-x12.ts";
import { type EdiSyntax, isBlank, type Segment } from "./segments.ts";

/** A file may have so many bytes. */
export const ediBytesMax = 20 * 1024 * 1024;
/** A file may have so many events. */
const ediEventsMax = 100_000;
/** Maximum number of listed faults and notes; further ones are only counted. */
const listedMax = 100;

/** A code without a meaning in the partner's profile, or a kind of message that is not read. */
export interface UnmappedCode {
  /** Kind of the message with the code: `315`, `IFTSTA`. */
  readonly kind: string;
  /** Null: the whole message, because its kind is not read. */
  readonly code: string | null;
  readonly count: number;
  /** Line of the first occurrence. */
  readonly line: number;
}

/** Content of a file. */
export interface EdiReading {
  readonly syntax: EdiSyntax;
  readonly interchanges: readonly Interchange[];
  readonly messages: number;
  readonly statuses: number;
  readonly events: readonly EdiEvent[];
  readonly noteCount: number;
  readonly notes: readonly EdiNote[];
  readonly unmapped: readonly UnmappedCode[];
  readonly faultCount: number;
  readonly faults: readonly EdiFileFault[];
  /** 997 or CONTRL, one for each interchange. */
  readonly acknowledgement: string;
}

const readers: Readonly<Record<string, (segments: readonly Segment[], facts: MessageFacts) => void>> = {
  "315": read315,
  "322": read322,
  "301": read301,
  IFTSTA: readIftsta,
  CODECO: readCodeco,
  COARRI: readCoarri,
};

/** UTF-8, or else ISO 8859-1, which the older character sets of both syntaxes are parts of. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Whether a file begins with an interchange, after blanks and a byte order mark of UTF-8. */
export function beginsAsEdi(bytes: Uint8Array): boolean {
  const mark = [0xef, 0xbb, 0xbf].every((byte, at) => bytes[at] === byte) ? 3 : 0;
  const start = bytes.findIndex((byte, at) => at >= mark && !isBlank(byte));
  return start >= 0 && ["ISA", "UNA", "UNB"].includes(String.fromCharCode(...bytes.subarray(start, start + 3)));
}

const messagesPerPause = 100;

/**
 * Reads an EDI file: X12 315, 322 and 301, EDIFACT IFTSTA, CODECO and COARRI. A fault within a message leaves out what
 * it is about, and is listed.
 * @param pause is awaited after every 100 messages, so that others can work meanwhile.
 * @throws UnreadableFile when nothing of the file may be applied.
 */
export async function readEdi(
  bytes: Uint8Array,
  options: ReadingOptions,
  pause: () => Promise<void> = async () => undefined,
): Promise<EdiReading> {
  if (bytes.byteLength > ediBytesMax) {
    throw new UnreadableFile({ line: 1, segment: 0, detail: tooLarge(bytes.byteLength) });
  }
  const reader = new MessageReader();
  const events: EdiEvent[] = [];
  const notes: EdiNote[] = [];
  const unmapped = new Map<string, UnmappedCode>();
  let [messages, statuses, noteCount] = [0, 0, 0];
  const count = (kind: string, code: string | null, line: number): void => {
    const key = JSON.stringify([kind, code]);
    const known = unmapped.get(key);
    if (known !== undefined) unmapped.set(key, { ...known, count: known.count + 1 });
    else if (unmapped.size < listedMax) unmapped.set(key, { kind, code, count: 1, line });
  };
  for (const message of reader.messages(decodeText(bytes))) {
    const { outcome, segments } = message;
    if (++messages % messagesPerPause === 0) await pause();
    const facts = new MessageFacts(message, options);
    const read = Object.hasOwn(readers, outcome.kind) ? readers[outcome.kind] : undefined;
    if (read === undefined) count(outcome.kind.slice(0, 35), null, segments[0]?.line ?? 1);
    else read(segments, facts);
    for (const event of facts.events) events.push(event);
    if (events.length > ediEventsMax) {
      const line = segments[0]?.line ?? 1;
      const detail = `The file has more than ${ediEventsMax} events. Split it.`;
      throw new UnreadableFile({ line, segment: segments[0]?.number ?? 0, detail });
    }
    for (const { code, line } of facts.unmapped) count(outcome.kind, code, line);
    noteCount += facts.notes.length;
    for (const note of facts.notes) if (notes.length < listedMax) notes.push(note);
    statuses += facts.statuses;
  }
  const outcomes = reader.interchanges.flatMap(({ groups }) => groups.flatMap((group) => group.messages));
  const faults = [...reader.faults, ...outcomes.flatMap((outcome) => outcome.faults)];
  return {
    syntax: reader.interchanges[0]?.syntax ?? "x12",
    interchanges: reader.interchanges,
    messages,
    statuses,
    events,
    notes,
    noteCount,
    unmapped: [...unmapped.values()],
    faultCount: faults.length,
    faults: faults.toSorted((a, b) => a.segment - b.segment).slice(0, listedMax),
    acknowledgement: buildAcknowledgement(reader.interchanges),
  };
}

/** A sentence about a file beyond the limit. */
export function tooLarge(bytes: number): string {
  const limit = ediBytesMax / 1_048_576;
  return `The file has ${(bytes / 1_048_576).toFixed(1)} MiB. Files of up to ${limit} MiB are read: split it.`;
}
