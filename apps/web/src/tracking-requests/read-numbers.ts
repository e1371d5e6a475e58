import { readCsv } from "@svc/domain/event-imports";
import { looksLikeContainerNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import { type RequestType, requestTypes } from "@svc/domain/tracking-requests";
import type { NewTrackingRequest } from "@svc/sdk";

/** One row of a list: a number with its carrier, customer and references; empty where not given. */
export interface ListedNumber {
  /** Position, from 1: the line of the text or file, or the index in the JSON array. */
  readonly row: number;
  readonly number: string;
  /** SCAC or name. */
  readonly carrier: string;
  /** Name. */
  readonly customer: string;
  readonly references: readonly string[];
}

/** Maximum size of a form with a list as a file: one of 1,000 rows is far smaller. */
export const listBytesMax = 1_200_000;
/** Maximum per API request. */
export const numbersMax = 500;

/** Names of a column: one of the words, alone or with one of the endings. */
const namePattern = (names: string, endings: string): RegExp =>
  new RegExp(`^(?:${names.replaceAll(" ", "|")})(?:${endings.replaceAll(" ", "|")})?$`);

const numbered = "s number numbers no nr num id";

/** Accepted names of columns, in letters only: `Container No.` is `containerno`. */
const columnPatterns = {
  number: namePattern(
    `request tracking shipment container cntr booking bookingref bookingreference bkg bl mbl bol mbol
    billoflading masterbilloflading waybill seawaybill number no nr`.replace(/\s+/g, " "),
    numbered,
  ),
  /** Used as the number where no column is called so: it can also be the type of the container. */
  equipment: namePattern("equipment", numbered),
  carrier: namePattern(
    "carrier oceancarrier line shippingline steamshipline oceanline ssl vocc scac",
    "scac code name",
  ),
  customer: namePattern("customer client", "name"),
  /** Used as the customer where no column is called so. */
  buyer: namePattern("consignee importer buyer receiver soldto", "party name"),
  reference: namePattern(
    `(?:your|our|customer|client|buyer|consignee|shipment|internal)?(?:ref|reference|po|order|purchaseorder|salesorder)
    so job file`.replace(/\s+/g, " "),
    numbered,
  ),
} as const;

const isCalled = (column: keyof typeof columnPatterns, header: string): boolean =>
  columnPatterns[column].test(header.toLowerCase().replace(/[^a-z]/g, ""));

/** A column of a table and what it is used as; null: it is left out. */
export interface ColumnUse {
  readonly name: string;
  readonly use: "number" | "carrier" | "customer" | "reference" | null;
}

function listedFrom(value: unknown, index: number): ListedNumber | null {
  const row = index + 1;
  if (typeof value === "string") return { row, number: value.trim(), carrier: "", customer: "", references: [] };
  if (typeof value !== "object" || value === null) return null;
  const read = (...names: readonly string[]): string => {
    const found = names.map((name) => (value as Record<string, unknown>)[name]).find((one) => typeof one === "string");
    return typeof found === "string" ? found.trim() : "";
  };
  return {
    row,
    number: read("number", "request_number"),
    carrier: read("scac", "line"),
    customer: read("customer"),
    references: [read("reference", "ref_number")].filter((reference) => reference !== ""),
  };
}

function fromJson(text: string): readonly ListedNumber[] | string {
  const refusal = "This JSON is no list of numbers.";
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return refusal;
    const listed = parsed.map(listedFrom);
    return listed.every((one) => one !== null) ? listed : refusal;
  } catch {
    return refusal;
  }
}

/**
 * Indexes of the columns; null when the first row is not a header. Every tracked number contains a digit, so a header
 * is a row without any that names a column. The numbers are in the first column where none is named for them.
 */
function matchColumns(header: readonly string[]) {
  const find = (column: keyof typeof columnPatterns) => header.findIndex((name) => isCalled(column, name));
  const findOne = (column: keyof typeof columnPatterns, other: keyof typeof columnPatterns) => {
    const index = find(column);
    return index === -1 ? find(other) : index;
  };
  const [number, carrier, customer] = [findOne("number", "equipment"), find("carrier"), findOne("customer", "buyer")];
  const references = header.flatMap((name, index) => (isCalled("reference", name) ? [index] : []));
  const isNamed = [number, carrier, customer, ...references].some((index) => index !== -1);
  if (!isNamed || /\d/.test(header.join(""))) return null;
  const isFirstFree = ![carrier, customer, ...references].includes(0);
  if (number === -1 && !isFirstFree) return null;
  return { number: Math.max(number, 0), carrier, customer, references };
}

const separators = ",;\t";
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "").trim();

function fromCsv(text: string): readonly ListedNumber[] | string {
  const records = readCsv(text, separators);
  if (typeof records === "string") return records;
  const rows = records.map(({ line, fields }) => ({ row: line, fields: fields.map((field) => field.trim()) }));
  const columns = matchColumns(rows[0]?.fields ?? []);
  if (columns === null)
    return rows.map(({ row, fields: [number = "", carrier = "", ...rest] }) => ({
      row,
      number,
      carrier,
      customer: "",
      references: rest.filter(isFilled),
    }));
  return rows.slice(1).map(({ row, fields }) => ({
    row,
    number: fields[columns.number] ?? "",
    carrier: fields[columns.carrier] ?? "",
    customer: fields[columns.customer] ?? "",
    references: columns.references.map((index) => fields[index] ?? "").filter(isFilled),
  }));
}

/** What the columns of a table are used as; null: the list has no header, or is no table. */
export function readColumns(text: string): readonly ColumnUse[] | null {
  const records = readCsv(withoutMark(text), separators);
  const header = (typeof records === "string" ? [] : (records[0]?.fields ?? [])).map((field) => field.trim());
  const columns = matchColumns(header);
  if (columns === null) return null;
  const { references, ...single } = columns;
  const uses = new Map<number, ColumnUse["use"]>([
    ...references.map((index) => [index, "reference"] as const),
    ...Object.entries(single).map(([use, index]) => [index, use as keyof typeof single] as const),
  ]);
  return header.map((name, index) => ({ name, use: uses.get(index) ?? null })).filter(({ name }) => name !== "");
}

const isFilled = (text: string): boolean => text !== "";

/**
 * Reads the numbers of a pasted text or a file. CSV (commas, semicolons or tabs) has the number, SCAC and references in
 * this order unless a header names the columns, which can also be the customer. JSON is an array of texts or of
 * `{number, scac, customer, reference}`. Returns an error message for other input. A row without a number is kept when
 * it has anything else, so that it is reported.
 */
export function readNumbers(text: string): readonly ListedNumber[] | string {
  const trimmed = withoutMark(text);
  const listed = trimmed.startsWith("[") ? fromJson(trimmed) : fromCsv(trimmed);
  return typeof listed === "string"
    ? listed
    : listed.filter(({ number, carrier, customer, references }) =>
        [number, carrier, customer, ...references].some(isFilled),
      );
}

const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const writtenLine = (cells: readonly string[]): string =>
  cells
    .map(quoted)
    .join(", ")
    .replace(/[, ]+$/, "");

/** Numbers as lines of text, below a header where one has a customer. */
export function writtenNumbers(numbers: readonly ListedNumber[]): string {
  if (numbers.every(({ customer }) => customer === "")) {
    return numbers.map(({ number, carrier, references }) => writtenLine([number, carrier, ...references])).join("\n");
  }
  const referencesMax = Math.max(...numbers.map(({ references }) => references.length));
  const header = ["Number", "SCAC", "Customer", ...Array.from({ length: referencesMax }, () => "Reference")];
  const rows = numbers.map(({ number, carrier, customer, references }) => [number, carrier, customer, ...references]);
  return [header, ...rows].map(writtenLine).join("\n");
}

/** The header of a table and those of its rows, with every column; null: the text has no header. */
export function selectTableRows(text: string, rows: ReadonlySet<number>): string | null {
  const records = readCsv(withoutMark(text), separators);
  if (typeof records === "string" || readColumns(text) === null) return null;
  const selected = records.filter(({ line }, index) => index === 0 || rows.has(line));
  return selected.map(({ fields }) => writtenLine(fields.map((field) => field.trim()))).join("\n");
}

/** The request to the API. The service detects a missing carrier. */
export function toTrackingRequest(
  { number, carrier, references }: ListedNumber,
  defaults: { readonly type: string; readonly carrier: string; readonly tags: readonly string[] },
): NewTrackingRequest {
  const scac = carrier || defaults.carrier;
  return {
    requestType: detectType(defaults.type, number),
    requestNumber: number,
    ...(scac ? { scac: scac.toUpperCase() } : { autoDetectScac: true }),
    refNumbers: references,
    shipmentTags: defaults.tags,
  };
}

/** The chosen type, or the type detected from the number. */
export function detectType(chosen: string, number: string): RequestType {
  const known = requestTypes.find((type) => type === chosen);
  if (known) return known;
  return looksLikeContainerNumber(normalizeContainerNumber(number)) ? "container" : "bill_of_lading";
}

/** Why a text is no number of a shipment or container; null: it may be one. */
export const numberProblem = (number: string): string | null =>
  /\d/.test(number) ? null : "This is no number: it has no digit.";
