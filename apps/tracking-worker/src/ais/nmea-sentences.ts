import { type Instant, instant, minuteMs, msBetween } from "@svc/domain";
import type { AisSink } from "./ais-report.ts";
import { decodeMessage } from "./decode-message.ts";
import { MessageBits } from "./message-bits.ts";

/** A sentence has 82 characters; with a tag block in front it is longer. */
export const lineLengthMax = 512;
/** Messages of which a sentence is still missing. The oldest is dropped for a new one. */
const incompleteMax = 64;
const incompleteAfterMs = minuteMs / 2;
/** The longest message, type 5, has two sentences; the standard allows five slots. */
const sentencesMax = 5;
/** A receiver with a wrong clock is not believed: the time of receipt counts instead. */
const tagTimeToleranceMs = 5 * minuteMs;

/** `!AIVDM,<count>,<number>,<sequence>,<channel>,<payload>,<fill bits>*<checksum>`, also of base stations (`BS`). */
const sentenceShape = /^!([A-Z]{2}VDM,([1-9]),([1-9]),(\d?),([AB12]?),([0-W`-w]+),([0-5]))\*([\dA-F]{2})$/i;
/** A tag block (NMEA 4.10) in front of the sentence: `\c:<epoch seconds>,s:<station>*<checksum>\`. */
const tagShape = /^\\([^\\*]*)\*([\dA-F]{2})\\/i;
const tagTimeShape = /(?:^|,)c:(\d{10}|\d{13})(?:,|$)/;

interface Incomplete {
  readonly payloads: readonly string[];
  readonly since: Instant;
}

/** Reads the lines of one receiver, and puts messages of several sentences together. */
export class NmeaSentences {
  readonly #sink: AisSink;
  readonly #incomplete = new Map<string, Incomplete>();

  constructor(sink: AisSink) {
    this.#sink = sink;
  }

  /** Sentences that carry no AIS message of another station, such as `$GPGGA` or `!AIVDO`, are ignored. */
  readLine(line: string, now: Instant): void {
    if (line.length > lineLengthMax) {
      this.#sink.malformed();
      return;
    }
    const [tag = "", tagContent = "", tagChecksum = ""] = tagShape.exec(line) ?? [];
    const text = line.slice(tag.length).trim();
    if (text === "" || text.startsWith("$") || /^![A-Z]{2}VDO,/i.test(text)) return;
    const [, content = "", count, number, sequence = "", channel = "", payload = "", fill, checksum = ""] =
      sentenceShape.exec(text) ?? [];
    const isIntact =
      checksum !== "" &&
      checksumOf(content) === Number.parseInt(checksum, 16) &&
      (tag === "" || checksumOf(tagContent) === Number.parseInt(tagChecksum, 16));
    if (!isIntact) {
      this.#sink.malformed();
      return;
    }
    const part = { count: Number(count), number: Number(number), key: `${sequence} ${channel} ${count}`, payload };
    const complete = this.#completedBy(part, now);
    if (complete !== null) this.#decode(complete, Number(fill), timeOf(tagContent, now));
  }

  #decode(payload: string, fillBits: number, at: Instant): void {
    const bits = MessageBits.of(payload, fillBits);
    const report = bits === null ? undefined : decodeMessage(bits, at);
    if (report === undefined) this.#sink.malformed();
    else if (report !== null) this.#sink.receive(report);
  }

  /** The payload of a message whose last sentence this is. Sentences of a message come in order. */
  #completedBy(
    part: { readonly count: number; readonly number: number; readonly key: string; readonly payload: string },
    now: Instant,
  ): string | null {
    const { count, number, key, payload } = part;
    if (count === 1) {
      if (number !== 1) this.#sink.malformed();
      return number === 1 ? payload : null;
    }
    const before = this.#incomplete.get(key);
    this.#incomplete.delete(key);
    const isContinued =
      before !== undefined &&
      before.payloads.length === number - 1 &&
      msBetween(before.since, now) <= incompleteAfterMs;
    if (count > sentencesMax || number > count || (number > 1 && !isContinued)) {
      this.#sink.malformed();
      return null;
    }
    const payloads = number === 1 ? [payload] : [...(before?.payloads ?? []), payload];
    if (number === count) return payloads.join("");
    const [oldest] = this.#incomplete.keys();
    if (oldest !== undefined && this.#incomplete.size >= incompleteMax) this.#incomplete.delete(oldest);
    this.#incomplete.set(key, { payloads, since: now });
    return null;
  }
}

/** The characters between the delimiters, combined by exclusive or. */
function checksumOf(content: string): number {
  let sum = 0;
  for (let index = 0; index < content.length; index++) sum ^= content.charCodeAt(index);
  return sum;
}

function timeOf(tag: string, now: Instant): Instant {
  const [, text] = tagTimeShape.exec(tag) ?? [];
  if (text === undefined) return now;
  const at = instant(text.length === 13 ? Number(text) : Number(text) * 1_000);
  return Math.abs(msBetween(at, now)) <= tagTimeToleranceMs ? at : now;
}
