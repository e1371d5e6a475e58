import { normalizeContainerNumber } from "../identifiers/container-number.ts";

/** What a person typed or pasted to find a shipment, in the forms in which it is compared. */
export interface SearchQuery {
  /** Without spaces, dashes, dots and slashes; may be empty. Carriers' numbers are compared in this form. */
  readonly number: string;
  /** As typed, but for case and the space around it. References are compared in this form. */
  readonly text: string;
}

const longestQuery = 100;
const control = /\p{Cc}/u;
/** Signs without a shape, such as the direction marks and word joiners that come along when one copies from mails and chats. */
const unseen = /\p{Cf}/gu;
/** What word processors make of a dash; the database knows the plain one only. */
const dashes = /[\p{Pd}\u2212]/gu;

/** Upper case in one Unicode form, without the space around it. The database's function search_text does the same. */
export function searchText(value: string): string {
  return value.normalize("NFKC").trim().toUpperCase();
}

/** Null for what no number or reference can be: nothing, more than 100 characters, or control characters. */
export function readSearchQuery(typed: string): SearchQuery | null {
  const text = searchText(typed);
  if (text === "" || text.length > longestQuery || control.test(text)) return null;
  return { number: normalizeContainerNumber(text.replace(unseen, "").replace(dashes, "-")), text };
}
