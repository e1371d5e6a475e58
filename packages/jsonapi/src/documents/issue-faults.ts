import type { z } from "zod";
import { type ErrorCode, type Fault, TrackingError } from "../tracking-error.ts";

type Issue = z.core.$ZodIssue;

const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

const expectations: Readonly<Record<string, string>> = {
  string: "must be a string",
  boolean: "must be true or false",
  number: "must be a number",
  array: "must be an array; [] clears it",
  object: "must be an object",
};

const formats: Readonly<Record<string, string>> = {
  uuid: "must be a UUID",
  url: "must be an absolute URL",
  date: "must be a date such as 2026-11-21",
  datetime: "must be a time such as 2026-11-21T10:00:00Z",
};

const disjunction = new Intl.ListFormat("en", { type: "disjunction" });

/** Lists the allowed types of a union. */
function describeUnion({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const first = errors.flatMap(([issue]) => (issue?.code === "invalid_type" && issue.path.length === 0 ? [issue] : []));
  const types = first.map(({ expected }) => (expectations[expected] ?? expected).replace(/^must be |;.*$/g, ""));
  return types.length === errors.length ? `must be ${disjunction.format(types)}` : "is not valid";
}

/** Describes an issue in our own words, because texts of the library must not be returned. */
function describe(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return expectations[issue.expected] ?? "has the wrong type";
    case "invalid_value":
      return `must be one of: ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return formats[issue.format] ?? "has the wrong form";
    case "too_big":
      if (issue.origin === "number") return `must be at most ${issue.maximum}`;
      return `must have at most ${issue.maximum} ${issue.origin === "array" ? "items" : "characters"}`;
    case "too_small":
      if (issue.origin === "number") return `must be at least ${issue.minimum}`;
      return `must have at least ${issue.minimum} ${issue.origin === "array" ? "item(s)" : "character(s)"}`;
    case "custom":
      return issue.message;
    case "invalid_union":
      return describeUnion(issue);
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
    case "unrecognized_keys":
      return "is not valid";
  }
}

function codeOf(issue: Issue): ErrorCode {
  return issue.code === "custom" && issue.params?.fault === "blank" ? "blank" : "invalid";
}

const faultsMax = 100;

/**
 * Collects the faults of a body. A body of the allowed size can have a hundred thousand: those above the limit are only
 * counted, and the last one reports their number.
 */
export class FaultList {
  readonly #kept: Fault[] = [];
  #leftOut = 0;

  add(fault: Fault): void {
    this.#addAll(1, () => fault);
  }

  /**
   * Converts all issues to faults with JSON pointers. `at` is the position of the checked part in the body;
   * `unknownMember` returns the fault of a member that is not in the schema.
   */
  addIssues(issues: readonly Issue[], input: unknown, at: string, unknownMember: (name: string) => string): void {
    for (const issue of issues) {
      if (issue.code === "unrecognized_keys") {
        this.#addAll(issue.keys.length, (index) => unknownMemberFault(issue, index, at, unknownMember));
      } else this.#addAll(1, () => toFault(issue, input, at));
    }
  }

  throwIfAny(): void {
    const [first, ...others] = this.#kept;
    if (!first) return;
    const last = others.pop();
    if (!last || this.#leftOut === 0) throw new TrackingError(last ? [first, ...others, last] : [first]);
    throw new TrackingError([first, ...others, { ...last, meta: { ...last.meta, errors_left_out: this.#leftOut } }]);
  }

  #addAll(count: number, faultAt: (index: number) => Fault): void {
    const added = Math.min(count, faultsMax - this.#kept.length);
    for (let index = 0; index < added; index++) this.#kept.push(faultAt(index));
    this.#leftOut += count - added;
  }
}

function unknownMemberFault(
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
  index: number,
  at: string,
  unknownMember: (name: string) => string,
): Fault {
  const key = keys[index] ?? "";
  const detail =
    path.length === 0 ? unknownMember(key) : `There is no member ${JSON.stringify(key.slice(0, 100))} here.`;
  return { code: "invalid", detail, source: { pointer: `${at}${toPointer([...path, key])}` } };
}

function toFault(issue: Issue, input: unknown, at: string): Fault {
  const pointer = `${at}${toPointer(issue.path)}`;
  const name = pointer.slice(pointer.lastIndexOf("/") + 1);
  if (issue.path.length > 0 && valueAt(input, issue.path) === undefined) {
    return { code: "blank", detail: `${name} is required.`, source: { pointer } };
  }
  const subject = typeof issue.path.at(-1) === "number" ? `Item ${Number(issue.path.at(-1)) + 1}` : name;
  return { code: codeOf(issue), detail: `${subject} ${describe(issue)}.`, source: { pointer } };
}
