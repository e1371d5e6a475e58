import { ApiError, PreconditionFailedError, RateLimitError } from "@svc/sdk";
import { problemsOfRefusal } from "../tracking-requests/request-fields.ts";
import type { Problems } from "./field.ts";

/** A part of an edit with a write of its own. A failure leaves the parts before it saved. */
export interface EditPart {
  /** Labels of its fields. */
  readonly labels: readonly string[];
  readonly write: () => Promise<unknown>;
}

/** Labels of the fields that an edit has saved so far. */
export type SavedLabels = ReadonlySet<string>;

/** Writes the parts in order, and adds the labels of each that is saved. */
export async function writeParts(parts: readonly EditPart[], saved: Set<string>): Promise<void> {
  for (const { labels, write } of parts) {
    await write();
    for (const label of labels) saved.add(label);
  }
}

/** "Saved: References. Not saved: Gate." */
function outcomeText(parts: readonly EditPart[], saved: SavedLabels): string {
  if (saved.size === 0) return "Nothing was saved.";
  const left = parts.flatMap(({ labels }) => labels).filter((label) => !saved.has(label));
  return `Saved: ${[...saved].join(", ")}. Not saved: ${left.join(", ")}.`;
}

/** The form problems of an API error in an edit; rethrows any other error. */
export function problemsOfEdit(error: unknown, parts: readonly EditPart[], saved: SavedLabels): Problems {
  const outcome = outcomeText(parts, saved);
  const problems = problemsOfRefusal(error, outcome);
  const isRefused = error instanceof ApiError && !(error instanceof RateLimitError);
  if (!isRefused || saved.size === 0) return problems;
  return { ...problems, "": [problems[""], outcome].filter(Boolean).join(" ") };
}

/** The record changed between its reading and its writing. */
export class ChangedMeanwhileError extends Error {}

export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof PreconditionFailedError || error instanceof ChangedMeanwhileError;
