import { readInstant } from "@svc/domain";
import { uuidShape } from "@svc/domain/identifiers";
import type { PageRow } from "@svc/domain/lists";
import type { SortKind } from "./query-definition.ts";

const shapes: Readonly<Record<SortKind, RegExp>> = {
  instant: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it excludes control characters.
  text: /^[^\u0000-\u001f]{1,200}$/,
  integer: /^\d{1,9}$/,
  position: /^\d{1,18}$/,
  uuid: uuidShape,
};

/** A position in a list, opaque to clients: the sort key of the list with the value and id of one row. */
export function encodeCursor(sortBy: string, row: PageRow): string {
  return Buffer.from(JSON.stringify([sortBy, row.value, row.id])).toString("base64url");
}

/** Null when the text is not a cursor of a list with this sort key. */
export function decodeCursor(text: string, sortBy: string, kind: SortKind): PageRow | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return null;
  const [key, value, id] = parts as unknown[];
  if (key !== sortBy || typeof value !== "string" || typeof id !== "string") return null;
  if (!shapes[kind].test(value) || !shapes.uuid.test(id)) return null;
  return kind === "instant" && readInstant(value) === null ? null : { value, id };
}
