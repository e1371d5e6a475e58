import type { z } from "zod";
import { quotedArgument } from "../../text/clean-text.ts";
import { ToolError } from "./tool-error.ts";

type Issue = z.core.$ZodIssue;

const formats: Readonly<Record<string, string>> = {
  date: "a date such as 2026-01-31",
};

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}

/** Returns what the argument must be, as an instruction for the caller. */
function demand(issue: Issue): string {
  switch (issue.code) {
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return issue.origin === "string"
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}${issue.origin === "array" ? " items" : ""}`;
    case "too_small":
      return issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`;
    case "invalid_format":
      return `must be ${formats[issue.format] ?? issue.message}`;
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be of type ${issue.expected}`;
    case "not_multiple_of":
    case "unrecognized_keys":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return issue.message;
  }
}

/** A bound that was passed names the value to call with. */
function suggestion(issue: Issue, name: string): string {
  if (issue.code === "too_big" && issue.origin === "number") return ` Call again with ${name}=${issue.maximum}.`;
  if (issue.code === "too_small" && issue.origin === "number") return ` Call again with ${name}=${issue.minimum}.`;
  return "";
}

/** The arguments against their schema. Throws ToolError that names what is wrong and what is accepted. */
export function parseArguments<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input ?? {}, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new ToolError({ code: "invalid_arguments", message: "The arguments are not valid." });
  const name = issue.path.join(".") || "arguments";
  const received = valueAt(input, issue.path);
  const got = received === undefined ? "" : `, got ${quotedArgument(received)}`;
  const message = `${name} ${demand(issue)}${got}.${suggestion(issue, name)}`;
  throw new ToolError({ code: "invalid_arguments", message });
}
