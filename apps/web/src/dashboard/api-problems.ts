import { ApiError } from "@svc/sdk";
import type { Problems } from "../forms/field.ts";

/**
 * What the API refused in a form, by the form's fields; throws the error on when it is not about what was typed. `fieldOf`
 * gives the field of a pointer such as `/data/attributes/url`, "" for none.
 */
export function problemsOf(error: unknown, fieldOf: (pointer: string) => string): Problems {
  if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error;
  const problems: Record<string, string> = {};
  for (const { pointer, detail, title } of error.faults) {
    const name = pointer === undefined ? "" : fieldOf(pointer);
    const text = detail ?? title ?? "The request is not valid.";
    problems[name] = problems[name] === undefined ? text : `${problems[name]} ${text}`;
  }
  return problems;
}
