import { type Instant, readInstant } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import { textProblem, writtenDate } from "../documents/text.ts";
import type { Parameter } from "./query-definition.ts";

const valuesMax = 100;

/** Marks a parameter that has its name in the reference contract as deprecated. */
export function deprecated<Value>(parameter: Parameter<Value>): Parameter<Value> {
  return { ...parameter, deprecated: true };
}

/** Comma-separated values, any of which matches. `readOne` returns null for an invalid value. */
function listParameter<Value>(
  name: string,
  description: string,
  readOne: (text: string) => Value | null,
  expected: string,
  items: Readonly<Record<string, unknown>>,
  split: (text: string) => readonly string[] = (text) => text.split(","),
): Parameter<readonly Value[]> {
  return {
    name,
    description: `${description} Several, separated by commas: any of them.`,
    schema: { type: "array", items, minItems: 1, maxItems: valuesMax },
    read(text) {
      const parts = split(text);
      if (parts.length > valuesMax) return { problem: `takes at most ${valuesMax} values` };
      const values = parts.map((part) => readOne(part));
      return values.every((value) => value !== null) ? { value: values } : { problem: `takes ${expected}` };
    },
  };
}

export function enumList<const Value extends string>(
  name: string,
  description: string,
  allowed: readonly Value[],
): Parameter<readonly Value[]> {
  const known: ReadonlySet<string> = new Set(allowed);
  const readOne = (text: string): Value | null => (known.has(text) ? (text as Value) : null);
  return listParameter(name, description, readOne, `one or several of: ${allowed.join(", ")}`, {
    type: "string",
    enum: allowed,
  });
}

/** One of the allowed values; required. */
export function enumValue<const Value extends string>(
  name: string,
  description: string,
  allowed: readonly Value[],
): Parameter<Value> {
  const known: ReadonlySet<string> = new Set(allowed);
  return {
    name,
    description,
    schema: { type: "string", enum: allowed },
    required: true,
    read: (text) => (known.has(text) ? { value: text as Value } : { problem: `takes one of: ${allowed.join(", ")}` }),
  };
}

/** Numbers, codes and names, normalized for comparison. */
export function texts(
  name: string,
  description: string,
  normalize: (text: string) => string,
  maxLength = 100,
): Parameter<readonly string[]> {
  const readOne = (text: string): string | null => (textProblem(text, maxLength) ? null : normalize(text));
  return listParameter(name, description, readOne, `texts of 1 to ${maxLength} characters`, {
    type: "string",
    minLength: 1,
  });
}

/** SCACs, UN/LOCODEs and the like, in any case. */
export const codes = (name: string, description: string, maxLength: number): Parameter<readonly string[]> =>
  texts(name, description, (text) => text.toUpperCase(), maxLength);

/**
 * Free texts, which may contain commas. A comma in a text is escaped by a backslash: percent-encoding cannot
 * distinguish it from a separator, because many clients encode every comma.
 */
export function freeTexts(name: string, description: string, maxLength = 100): Parameter<readonly string[]> {
  const readOne = (text: string): string | null => (textProblem(text, maxLength) ? null : text.normalize("NFC"));
  return listParameter(
    name,
    `${description} A comma that belongs to the text is written \\, (backslash, comma).`,
    readOne,
    `texts of 1 to ${maxLength} characters`,
    { type: "string", minLength: 1 },
    (text) => text.split(/(?<!\\),/).map((part) => part.replaceAll("\\,", ",")),
  );
}

export function ids(name: string, description: string): Parameter<readonly string[]> {
  const readOne = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null);
  return listParameter(name, description, readOne, "ids (UUIDs)", { type: "string", format: "uuid" });
}

export function oneId(name: string, description: string): Parameter<string> {
  return {
    name,
    description,
    schema: { type: "string", format: "uuid" },
    read: (text) => (isUuid(text) ? { value: text.toLowerCase() } : { problem: "takes an id (a UUID)" }),
  };
}

export function timestamp(name: string, description: string): Parameter<Instant> {
  return {
    name,
    description: `${description} An RFC 3339 time, or a date (its midnight in UTC).`,
    schema: { type: "string" },
    read(text) {
      const time = readInstant(text);
      return time === null ? { problem: "takes a time such as 2026-11-21T10:00:00Z" } : { value: time };
    },
  };
}

export function booleanFlag(name: string, description: string): Parameter<boolean> {
  return {
    name,
    description,
    schema: { type: "boolean" },
    read: (text) =>
      text === "true" || text === "false" ? { value: text === "true" } : { problem: "takes true or false" },
  };
}

/** An integer from `min` to `max`. */
export function integer(
  name: string,
  description: string,
  { min, max }: { readonly min: number; readonly max: number },
): Parameter<number> {
  return {
    name,
    description,
    schema: { type: "integer", minimum: min, maximum: max },
    read(text) {
      const value = /^(?:0|-?[1-9]\d{0,5})$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? { value } : { problem: `takes a whole number from ${min} to ${max}` };
    },
  };
}

/** A date without a time, as YYYY-MM-DD. */
export function localDate(name: string, description: string): Parameter<string> {
  return {
    name,
    description,
    schema: { type: "string", format: "date" },
    read: (text) =>
      writtenDate.safeParse(text).success ? { value: text } : { problem: "takes a date such as 2026-11-21" },
  };
}

/** A number from -`max` to `max` in decimal notation; required. */
export function decimal(name: string, description: string, { max }: { readonly max: number }): Parameter<number> {
  return {
    name,
    description,
    schema: { type: "number", minimum: -max, maximum: max },
    required: true,
    read(text) {
      const value = /^-?\d{1,3}(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
      return Math.abs(value) <= max ? { value } : { problem: `takes a number from -${max} to ${max}, such as 31.25` };
    },
  };
}

/** One text. */
export function oneText(
  name: string,
  description: string,
  options: { readonly maxLength: number; readonly required?: boolean },
): Parameter<string> {
  return {
    name,
    description,
    schema: { type: "string", minLength: 1, maxLength: options.maxLength },
    ...(options.required && { required: true }),
    read(text) {
      const problem = textProblem(text, options.maxLength);
      return problem ? { problem: problem.detail } : { value: text.normalize("NFC") };
    },
  };
}
