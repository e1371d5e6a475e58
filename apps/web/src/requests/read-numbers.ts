import { type InferableLine, inferNumber } from "@svc/domain";
import type { NewTrackingRequest } from "@svc/sdk";
import { typeOf } from "./track-routes.ts";

/** One number of a list, with what was said of it. */
export interface ListedNumber {
  readonly number: string;
  readonly line: string;
  readonly reference: string;
}

/** As many as the API takes at once. */
export const numbersMax = 500;

const headers = new Set(["number", "request_number", "bill_of_lading", "booking", "container", "container_number"]);

const cell = (text: string | undefined): string =>
  (text ?? "")
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();

function listedFrom(value: unknown): ListedNumber | null {
  if (typeof value === "string") return { number: value.trim(), line: "", reference: "" };
  if (typeof value !== "object" || value === null) return null;
  const read = (...names: readonly string[]): string => {
    const found = names.map((name) => (value as Record<string, unknown>)[name]).find((one) => typeof one === "string");
    return typeof found === "string" ? found.trim() : "";
  };
  return {
    number: read("number", "request_number"),
    line: read("scac", "line"),
    reference: read("reference", "ref_number"),
  };
}

function fromJson(text: string): readonly ListedNumber[] | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return null;
    const listed = parsed.map(listedFrom);
    return listed.every((one) => one !== null) ? listed.filter(({ number }) => number !== "") : null;
  } catch {
    return null;
  }
}

/**
 * The numbers of a pasted text or a file: one in each line, after it (separated by a comma, semicolon or tab) its SCAC and a
 * reference; or a JSON array of texts or of `{number, scac, reference}`. Null for JSON that is neither.
 */
export function readNumbers(text: string): readonly ListedNumber[] | null {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed.startsWith("[")) return fromJson(trimmed);
  return trimmed
    .split(/\r\n?|\n/)
    .map((row) => row.split(/[,;\t]/).map(cell))
    .filter(([number = ""], index) => number !== "" && !(index === 0 && headers.has(number.toLowerCase())))
    .map(([number = "", line, reference]) => ({ number, line: line ?? "", reference: reference ?? "" }));
}

/** As a line of the text again. */
export const writtenNumber = ({ number, line, reference }: ListedNumber): string =>
  [number, line, reference].join(", ").replace(/[, ]+$/, "");

/** What is asked of the API; a line that is not said is told from the number when that is certain, else by the service. */
export function requestOf(
  { number, line, reference }: ListedNumber,
  defaults: { readonly type: string; readonly line: string; readonly tags: readonly string[] },
  lines: readonly InferableLine[],
): NewTrackingRequest {
  const said = line || defaults.line;
  const inferred = said === "" ? inferNumber(number, lines) : null;
  const scac = said || (inferred?.decision === "auto_select" ? inferred.selected?.scac : undefined);
  return {
    requestType: typeOf(defaults.type, number),
    requestNumber: number,
    ...(scac ? { scac: scac.toUpperCase() } : { autoDetectScac: true }),
    refNumbers: reference === "" ? [] : [reference],
    shipmentTags: defaults.tags,
  };
}
