import { customFieldSlug } from "@svc/domain/custom-fields";
import { isUuid } from "@svc/domain/identifiers";

/** A text of the URL of a list, without control characters; "" when it is absent or too long. */
export const readText = (value: unknown, longest: number): string =>
  typeof value === "string" && value.length <= longest ? value.toWellFormed().replace(/\p{Cc}/gu, "") : "";

/** Null for another value than the keys. */
export const readKey = <Key extends string>(choices: Readonly<Record<Key, string>>, value: unknown): Key | null =>
  typeof value === "string" && Object.hasOwn(choices, value) ? (value as Key) : null;

/** The customer of a list: a part of the name, or the whole one. Empty: any. */
interface CustomerFilter {
  readonly customer: string;
  readonly customer_name: string;
}

/** The parameters of the URL of a list for its customer. A typed part replaces the whole name, which links have. */
export function readCustomer(query: Readonly<Record<string, unknown>>): CustomerFilter {
  const customer = readText(query.customer, 100).trim();
  return { customer, customer_name: customer === "" ? readText(query.customer_name, 200).trim() : "" };
}

/** No saved view, also where the list would open with one. */
export const withoutView = "none";

/** The parameter `saved` of the URL of a list: the id of the view that it was opened with, "none", or "". */
export function readSaved(value: unknown): string {
  return typeof value === "string" && (value === withoutView || isUuid(value)) ? value : "";
}

/**
 * The parameter `columns`: separated by commas, or several. Columns of custom fields are last, also of fields that are
 * not defined. Empty where the usual columns, or none, are chosen.
 */
export function readColumns(value: unknown, known: readonly string[], defaults = known): readonly string[] {
  const chosen = new Set([value].flat().flatMap((text) => (typeof text === "string" ? text.split(",") : [])));
  const custom = [...chosen].filter((column) => customFieldSlug(column) !== null).toSorted();
  const columns = [...known.filter((column) => chosen.has(column)), ...custom];
  return columns.join() === defaults.join() ? [] : columns;
}
