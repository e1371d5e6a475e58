import { cleanText } from "./clean-text.ts";

const fullSecond = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.000Z$/;

function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/**
 * Sentences of this service, with names of carriers in them: longer than any value of a carrier or user. Their end is
 * the next step.
 */
const sentences: ReadonlySet<string> = new Set(["summary", "cause", "detail", "to_do"]);
const sentenceLengthMax = 320;
/** A note is written to be read whole. */
const noteLengthMax = 2_000;

function lengthMaxOf(name: string): number | undefined {
  if (name === "note") return noteLengthMax;
  return sentences.has(name) ? sentenceLengthMax : undefined;
}

function cleaned(value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    const text = value.endsWith(".000Z") ? value.replace(fullSecond, "$1Z") : value;
    return cleanText(text, lengthMaxOf(name));
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item)).filter((item) => !isEmptyValue(item));
  return typeof value === "object" && value !== null ? cleanedMembers(value) : value;
}

function cleanedMembers(value: object): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const clean = cleaned(member, name);
    if (!isEmptyValue(clean)) members[name] = clean;
  }
  return members;
}

/**
 * The result that is sent: all texts cleaned; null, empty texts and empty lists removed, because each costs tokens. A
 * top-level list stays when it is empty: it is the result.
 */
export function cleanContent(content: object): Record<string, unknown> {
  const lists = Object.entries(content).filter(([, value]) => Array.isArray(value) && value.length === 0);
  return { ...cleanedMembers(content), ...Object.fromEntries(lists) };
}
