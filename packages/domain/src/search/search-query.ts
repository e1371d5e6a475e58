import { normalizeContainerNumber } from "../identifiers/container-number.ts";

/** What a person typed or pasted to find a shipment, in the forms in which it is compared. */
export interface SearchQuery {
  /** Without spaces and dashes; may be empty. Containers' numbers are compared in this form: another sign is in none of them. */
  readonly containerNumber: string;
  /** Without dots, slashes and underscores either; may be empty. Shipments' numbers are compared in this form. */
  readonly number: string;
  /** As typed, but for case, the space around it and what cannot be seen. References are compared in this form. */
  readonly text: string;
}

/** Of what is typed, in characters: as many as a reference may have. */
const longestQuery = 100;
const control = /\p{Cc}/u;
/** Signs without a shape, such as the direction marks and word joiners that come along when one copies from mails and chats. */
const unseen = /\p{Cf}/gu;
/** Also what word processors make of a dash; the database knows the plain one only. */
const spacesAndDashes = /[\s\p{Pd}\u2212]/gu;

const withoutUnseen = (value: string): string => value.replace(unseen, "");

/** Upper case in one Unicode form, without unseen signs and the space around it. The database's function search_text does the same. */
export function searchText(value: string): string {
  return withoutUnseen(value).normalize("NFKC").trim().toUpperCase();
}

/** Null for what no number or reference can be: nothing, more than 100 characters, or control characters. */
export function readSearchQuery(typed: string): SearchQuery | null {
  const text = searchText(typed);
  const length = [...withoutUnseen(typed).normalize("NFC").trim()].length;
  if (text === "" || length > longestQuery || control.test(text)) return null;
  const containerNumber = text.replace(spacesAndDashes, "");
  return { containerNumber, number: normalizeContainerNumber(containerNumber), text };
}
