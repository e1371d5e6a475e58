import { UnreadableFile } from "./fault.ts";

export type EdiSyntax = "x12" | "edifact";

export interface Segment {
  readonly syntax: EdiSyntax;
  readonly tag: string;
  /** `elements[2]` is the second element; `elements[0]` is the tag. Each has its components. */
  readonly elements: readonly (readonly string[])[];
  /** Line of the first character, from 1. */
  readonly line: number;
  /** Position in the file, from 1. */
  readonly number: number;
}

/** Characters of one segment. The longest of the read messages, a free text, has less than 3,000. */
const segmentCharactersMax = 10_000;
const elementsMax = 200;
/** ISA has 16 elements of at most 15 characters. */
const isaCharactersMax = 400;
/** UNB has at most 11 elements, the longest of 35 characters for each of four components. */
const unbCharactersMax = 600;

interface Separators {
  readonly syntax: EdiSyntax;
  readonly element: string;
  readonly component: string;
  /** Takes the meaning from the next character; null: the syntax has none. */
  readonly release: string | null;
  readonly terminator: string;
}

const edifactSeparators: Separators = {
  syntax: "edifact",
  element: "+",
  component: ":",
  release: "?",
  terminator: "'",
};

/** An element, or one of its components, trimmed; empty when absent. */
export function value(segment: Segment, element: number, component = 1): string {
  return segment.elements[element]?.[component - 1]?.trim() ?? "";
}

/**
 * Splits the interchanges of a file into segments: X12 by the separators of each ISA, EDIFACT by the service string
 * advice (UNA) or the default separators. Line ends between and within segments have no meaning. Generates one segment
 * at a time, so that the file is never held as segments as a whole.
 * @throws UnreadableFile when the text is no EDI, a segment is cut off or too long.
 */
export function* parseSegments(text: string): Generator<Segment> {
  const scanner = new Scanner(text);
  let separators: Separators | null = null;
  for (;;) {
    scanner.skipBlanks();
    if (scanner.isAtEnd) break;
    separators = scanner.separatorsAhead(separators);
    if (scanner.isAtEnd) break;
    yield scanner.next(separators);
  }
  if (separators === null) throw new UnreadableFile({ line: 1, segment: 0, detail: "The file is empty." });
}

/** Whether a character has no meaning between segments, such as the Ctrl-Z with which some programs end a file. */
export const isBlank = (code: number): boolean =>
  code === 10 || code === 13 || code === 32 || code === 9 || code === 26;

class Scanner {
  readonly #text: string;
  #at: number;
  #line = 1;
  #number = 0;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skipBlanks(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 10) this.#line++;
      else if (!isBlank(code)) return;
    }
  }

  /** The separators of the next segment: ISA, UNA and UNB begin an interchange. */
  separatorsAhead(current: Separators | null): Separators {
    if (this.#text.startsWith("ISA", this.#at)) return this.#separatorsOfIsa();
    if (this.#text.startsWith("UNA", this.#at)) return this.#separatorsOfUna();
    if (this.#text.startsWith("UNB", this.#at)) return this.#separatorsOfUnb(current);
    if (current !== null) return current;
    throw this.#unreadable("This is no EDI file: it must begin with ISA (X12), UNA or UNB (EDIFACT).");
  }

  next(separators: Separators): Segment {
    const start = this.#at;
    const line = this.#line;
    this.#number++;
    const end = this.#endOfSegment(start, separators);
    const raw = this.#text.slice(start, end);
    for (let at = raw.indexOf("\n"); at !== -1; at = raw.indexOf("\n", at + 1)) this.#line++;
    if (separators.terminator === "\n" || separators.terminator === "\r") this.#line++;
    this.#at = end + 1;
    const isIsa = separators.syntax === "x12" && raw.startsWith("ISA");
    const elements = splitElements(raw.replace(/[\r\n]/g, ""), isIsa ? { ...separators, component: "" } : separators);
    const tag = elements[0]?.[0]?.trim() ?? "";
    const position = { line, segment: this.#number };
    if (elements.length > elementsMax) {
      throw new UnreadableFile({ ...position, detail: `The segment has more than ${elementsMax} elements.` });
    }
    if (!/^[A-Z][A-Z0-9]{1,2}$/.test(tag)) {
      const detail =
        "The segment does not begin with a tag: the file is damaged, or its separators are not those it names.";
      throw new UnreadableFile({ ...position, detail });
    }
    return { syntax: separators.syntax, tag, elements, line, number: this.#number };
  }

  #endOfSegment(start: number, { terminator, release }: Separators): number {
    const limit = Math.min(this.#text.length, start + segmentCharactersMax);
    for (let at = start; at < limit; at++) {
      const character = this.#text[at];
      if (character === release) at++;
      else if (character === terminator) return at;
    }
    const position = { line: this.#line, segment: this.#number };
    if (limit < this.#text.length) {
      throw new UnreadableFile({
        ...position,
        detail: `The segment is longer than ${segmentCharactersMax} characters: its terminator is missing.`,
      });
    }
    throw new UnreadableFile({ ...position, detail: "The file ends within a segment: it is cut off." });
  }

  /** The element separator follows ISA; after the 16th stand the component separator and the terminator. */
  #separatorsOfIsa(): Separators {
    const header = this.#text.slice(this.#at, this.#at + isaCharactersMax);
    const element = header.charAt(3);
    let at = 3;
    for (let count = 1; count < 16 && at !== -1; count++) at = header.indexOf(element, at + 1);
    const component = header.charAt(at + 1);
    const terminator = header.charAt(at + 2);
    const marks = new Set([element, component, terminator]);
    if (element === "" || at === -1 || marks.size < 3 || [...marks].some((mark) => /^[A-Za-z0-9 ]?$/.test(mark))) {
      throw this.#unreadable("The ISA segment does not show its separators: it must have 16 elements.");
    }
    const isLineEnd = terminator === "\r" && header.charAt(at + 3) === "\n";
    return { syntax: "x12", element, component, release: null, terminator: isLineEnd ? "\n" : terminator };
  }

  /**
   * UNB without UNA: the default separators. Some files have one UNA for all their interchanges; they are read by its
   * separators where the default ones do not end the segment.
   */
  #separatorsOfUnb(current: Separators | null): Separators {
    if (current === null || current.syntax === "x12") return edifactSeparators;
    const header = this.#text.slice(this.#at, this.#at + unbCharactersMax);
    return /^UNB\+(?:\?.|[^'?])*'\s*UN[GHZ]\+/.test(header) ? edifactSeparators : current;
  }

  /** `UNA:+.? '`: component, element, decimal mark, release, reserved, terminator. */
  #separatorsOfUna(): Separators {
    const [component = "", element = "", , release = "", , terminator = ""] = this.#text.slice(
      this.#at + 3,
      this.#at + 9,
    );
    const marks = new Set([component, element, terminator]);
    if (marks.size < 3 || marks.has(release) || [...marks].some((mark) => /^[A-Za-z0-9\s]?$/.test(mark))) {
      throw this.#unreadable("The service string advice UNA must name six separators, for example UNA:+.? '.");
    }
    this.#at += 9;
    this.skipBlanks();
    return { syntax: "edifact", element, component, release: release === " " ? null : release, terminator };
  }

  #unreadable(detail: string): UnreadableFile {
    return new UnreadableFile({ line: this.#line, segment: this.#number, detail });
  }
}

function splitElements(raw: string, { element, component, release }: Separators): string[][] {
  if (release === null || !raw.includes(release)) {
    return raw.split(element).map((text) => (component === "" ? [text] : text.split(component)));
  }
  const elements: string[][] = [[""]];
  const append = (character: string): void => {
    const components = elements[elements.length - 1] as string[];
    components[components.length - 1] += character;
  };
  for (let at = 0; at < raw.length; at++) {
    const character = raw.charAt(at);
    if (character === release) append(raw.charAt(++at));
    else if (character === element) elements.push([""]);
    else if (character === component) elements.at(-1)?.push("");
    else append(character);
  }
  return elements;
}
