import { toDomainName } from "@svc/jsonapi";
import { ApiError } from "@svc/sdk";
import type { Problems } from "./field.ts";

/**
 * Validation errors of the API by form field. Rethrows an error that is not a validation error, and a request that is
 * still running, whose form keeps its key. `fieldOf` returns the field of a JSON pointer such as
 * `/data/attributes/url`, or "" for none.
 */
export function problemsOf(error: unknown, fieldOf: (pointer: string) => string): Problems {
  if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error;
  if (error.hasCode("idempotency_in_progress")) throw error;
  const problems: Record<string, string> = {};
  for (const { pointer, detail, title } of error.faults) {
    const name = pointer === undefined ? "" : fieldOf(pointer);
    const text = detail ?? title ?? "The request is not valid.";
    problems[name] = problems[name] === undefined ? text : `${problems[name]} ${text}`;
  }
  return problems;
}

/** The validation errors of a call of the API, by form field; none if it succeeds. */
export const problemsOfCall = (call: Promise<unknown>, fieldOf: (pointer: string) => string): Promise<Problems> =>
  call.then(
    () => ({}),
    (error: unknown) => problemsOf(error, fieldOf),
  );

/** The field of a JSON pointer whose attribute has the field's name in snake case, or "" for none of the fields. */
export const fieldIn =
  (fields: ReadonlySet<string>) =>
  (pointer: string): string => {
    const name = toDomainName(pointer.split("/")[3] ?? "");
    return fields.has(name) ? name : "";
  };
