import type { EdiFileFault } from "@svc/domain/edi-files";
import { UnreadableFile } from "./fault.ts";
import { type EdiSyntax, parseSegments, type Segment, value } from "./segments.ts";

/** One ISA … IEA or UNB … UNZ. */
export interface Interchange {
  readonly syntax: EdiSyntax;
  readonly sender: string;
  readonly senderQualifier: string;
  readonly receiver: string;
  readonly receiverQualifier: string;
  readonly controlNumber: string;
  /** Date as given, YYMMDD or CCYYMMDD; the time is HHMM. */
  readonly date: string;
  readonly time: string;
  readonly groups: FunctionalGroup[];
}

/** One GS … GE; EDIFACT without UNG has one without a code. */
export interface FunctionalGroup {
  /** GS-01, for example `QO`. */
  readonly code: string;
  readonly controlNumber: string;
  readonly messages: MessageOutcome[];
}

/** Result of one message, for the acknowledgement. */
export interface MessageOutcome {
  /** `315`, `IFTSTA`. */
  readonly kind: string;
  /** `D:99B:UN`; empty in X12. */
  readonly version: string;
  readonly reference: string;
  /** The number of ST or UNH in the file. */
  readonly firstSegment: number;
  readonly faults: EdiFileFault[];
}

/** A message with its segments, from ST or UNH to SE or UNT. */
export interface Message {
  readonly interchange: Interchange;
  readonly outcome: MessageOutcome;
  readonly segments: readonly Segment[];
}

const messageSegmentsMax = 200_000;

interface Envelope {
  readonly header: "ISA" | "UNB";
  readonly trailer: "IEA" | "UNZ";
  readonly groupHeader: "GS" | "UNG";
  readonly groupTrailer: "GE" | "UNE";
  readonly messageHeader: "ST" | "UNH";
  readonly messageTrailer: "SE" | "UNT";
  /** The element of the header with the control number. */
  readonly controlNumber: number;
}

const envelopes: Readonly<Record<EdiSyntax, Envelope>> = {
  x12: {
    header: "ISA",
    trailer: "IEA",
    groupHeader: "GS",
    groupTrailer: "GE",
    messageHeader: "ST",
    messageTrailer: "SE",
    controlNumber: 13,
  },
  edifact: {
    header: "UNB",
    trailer: "UNZ",
    groupHeader: "UNG",
    groupTrailer: "UNE",
    messageHeader: "UNH",
    messageTrailer: "UNT",
    controlNumber: 5,
  },
};

function interchangeOf(header: Segment): Interchange {
  if (header.syntax === "x12") {
    return {
      syntax: "x12",
      senderQualifier: value(header, 5),
      sender: value(header, 6),
      receiverQualifier: value(header, 7),
      receiver: value(header, 8),
      date: value(header, 9),
      time: value(header, 10),
      controlNumber: value(header, 13),
      groups: [],
    };
  }
  return {
    syntax: "edifact",
    sender: value(header, 2),
    senderQualifier: value(header, 2, 2),
    receiver: value(header, 3),
    receiverQualifier: value(header, 3, 2),
    date: value(header, 4),
    time: value(header, 4, 2),
    controlNumber: value(header, 5),
    groups: [],
  };
}

/** Reads one file: its messages, one at a time, with the envelopes they are in. */
export class MessageReader {
  /** Fills while the messages are read. */
  readonly interchanges: Interchange[] = [];
  readonly #faults: EdiFileFault[] = [];
  #interchange: Interchange | null = null;
  #group: FunctionalGroup | null = null;
  /** The segments of the open message so far. */
  #open: Segment[] | null = null;

  /** Errors of envelopes that do not prevent reading: wrong counts. */
  get faults(): readonly EdiFileFault[] {
    return this.#faults;
  }

  /**
   * @throws UnreadableFile when envelopes are not closed, or not by their own control number: the file is cut off, or
   *   parts of several were joined. Messages before the error were then generated already and must not be applied.
   */
  *messages(text: string): Generator<Message> {
    let last: Segment | null = null;
    for (const segment of parseSegments(text)) {
      last = segment;
      if (this.#open === null) this.#readEnvelope(segment);
      else if (this.#addToMessage(this.#open, segment)) yield this.#closeMessage(this.#open, segment);
    }
    this.#checkEnd(last);
  }

  /** @returns whether the segment is the last one of the message. */
  #addToMessage(open: Segment[], segment: Segment): boolean {
    const envelope = envelopes[segment.syntax];
    open.push(segment);
    if (open.length > messageSegmentsMax) {
      throw unreadable(segment, `The message has more than ${messageSegmentsMax} segments.`);
    }
    if (segment.tag === envelope.messageTrailer) return true;
    if (Object.values(envelope).includes(segment.tag)) {
      throw unreadable(segment, `${segment.tag} is inside a message: its ${envelope.messageTrailer} is missing.`);
    }
    return false;
  }

  #readEnvelope(segment: Segment): void {
    const envelope = envelopes[segment.syntax];
    const interchange = this.#interchange;
    if (segment.tag === envelope.header) this.#openInterchange(segment);
    else if (interchange === null) throw unreadable(segment, `${segment.tag} is outside an interchange.`);
    else if (segment.tag === envelope.messageHeader) this.#openMessage(segment);
    else if (segment.tag === envelope.groupHeader) this.#openGroup(segment, interchange);
    else if (segment.tag === envelope.groupTrailer) this.#closeGroup(segment);
    else if (segment.tag === envelope.trailer) this.#closeInterchange(segment, interchange);
    else this.#faults.push({ ...positionOf(segment), message: null, detail: "The segment is outside a message." });
  }

  #openInterchange(segment: Segment): void {
    const { trailer } = envelopes[segment.syntax];
    if (this.#interchange !== null) throw unreadable(segment, `The interchange before ends without ${trailer}.`);
    this.#interchange = interchangeOf(segment);
    this.interchanges.push(this.#interchange);
  }

  #openMessage(segment: Segment): void {
    if (segment.syntax === "x12" && this.#group === null) {
      throw unreadable(segment, "ST is outside a group: GS is missing.");
    }
    this.#open = [segment];
  }

  #openGroup(segment: Segment, interchange: Interchange): void {
    const controlNumber = value(segment, segment.syntax === "x12" ? 6 : 5);
    this.#group = { code: value(segment, 1), controlNumber, messages: [] };
    interchange.groups.push(this.#group);
  }

  #closeGroup(segment: Segment): void {
    this.#check(segment, this.#group?.controlNumber ?? "", this.#group?.messages.length ?? 0, "messages");
    this.#group = null;
  }

  #closeInterchange(segment: Segment, { groups, controlNumber }: Interchange): void {
    const isX12 = segment.syntax === "x12";
    if (isX12 && this.#group !== null) throw unreadable(segment, "The group before ends without GE.");
    const hasGroups = isX12 || groups.some(({ code }) => code !== "");
    const messages = groups.reduce((sum, one) => sum + one.messages.length, 0);
    this.#check(segment, controlNumber, hasGroups ? groups.length : messages, hasGroups ? "groups" : "messages");
    this.#interchange = null;
    this.#group = null;
  }

  #checkEnd(last: Segment | null): void {
    if (this.#open === null && this.#interchange === null) return;
    const { line, number, syntax } = last ?? { line: 1, number: 0, syntax: "x12" as const };
    const { trailer, messageTrailer } = envelopes[syntax];
    const missing = this.#open === null ? trailer : messageTrailer;
    const detail = `The file ends without ${missing}: it is cut off. Send it again as a whole.`;
    throw new UnreadableFile({ line, segment: number, detail });
  }

  #closeMessage(segments: readonly Segment[], trailer: Segment): Message {
    const interchange = this.#interchange as Interchange;
    this.#group ??= addGroupWithoutHeader(interchange);
    this.#open = null;
    const header = segments[0] as Segment;
    const isX12 = header.syntax === "x12";
    const outcome: MessageOutcome = {
      kind: isX12 ? value(header, 1) : value(header, 2),
      version: isX12 ? "" : [2, 3, 4].map((component) => value(header, 2, component)).join(":"),
      reference: isX12 ? value(header, 2) : value(header, 1),
      firstSegment: header.number,
      faults: [],
    };
    const message = outcome.reference;
    if (value(trailer, 2) !== message) {
      throw unreadable(trailer, `${trailer.tag} closes message ${value(trailer, 2)}, but ${message} is open.`);
    }
    if (Number(value(trailer, 1)) !== segments.length) {
      const detail = `${trailer.tag} counts ${value(trailer, 1)} segments, but there are ${segments.length}.`;
      outcome.faults.push({ ...positionOf(trailer), element: 1, message, detail });
    }
    this.#group.messages.push(outcome);
    return { interchange, outcome, segments };
  }

  /** The trailer must close what is open; a wrong count is an error that is shown. */
  #check(trailer: Segment, controlNumber: string, count: number, counted: string): void {
    if (value(trailer, 2) !== controlNumber) {
      const detail = `${trailer.tag} has the control number ${value(trailer, 2)}, but ${controlNumber} is open.`;
      throw unreadable(trailer, detail);
    }
    if (Number(value(trailer, 1)) === count) return;
    const detail = `${trailer.tag} counts ${value(trailer, 1)} ${counted}, but there are ${count}.`;
    this.#faults.push({ ...positionOf(trailer), element: 1, message: null, detail });
  }
}

/** The group of EDIFACT messages whose interchange has none. */
function addGroupWithoutHeader({ groups }: Interchange): FunctionalGroup {
  const group = { code: "", controlNumber: "", messages: [] };
  groups.push(group);
  return group;
}

export function positionOf({ line, number, tag }: Segment): Pick<EdiFileFault, "line" | "segment" | "tag" | "element"> {
  return { line, segment: number, tag, element: null };
}

function unreadable(segment: Segment, detail: string): UnreadableFile {
  return new UnreadableFile({ ...positionOf(segment), detail });
}
