import { normalizeContainerNumber } from "../identifiers/container-number.ts";

/** The text of a search in the forms in which it is compared. */
export interface SearchQuery {
  /** Text without spaces and dashes, the form of container numbers; may be empty. */
  readonly containerNumber: string;
  /** Text without spaces, dashes, dots, slashes and underscores, the form of shipment numbers; may be empty. */
  readonly number: string;
  /** Text in upper case without invisible characters and surrounding space, the form of references. */
  readonly text: string;
}

/** Maximum number of characters, the same as of a reference. */
const queryLengthMax = 100;
const control = /\p{Cc}/u;
/** Invisible characters, such as direction marks and word joiners, which come with text copied from mails and chats. */
const unseen = /\p{Cf}/gu;
/** Dashes of word processors. The database uses only the plain one. */
const spacesAndDashes = /[\s\p{Pd}\u2212]/gu;

const withoutUnseen = (value: string): string => value.replace(unseen, "");

/**
 * Normalizes as the database's function search_text does: upper case, one Unicode form, no invisible characters,
 * trimmed.
 */
export function searchText(value: string): string {
  return withoutUnseen(value).normalize("NFKC").trim().toUpperCase();
}

/** Null for text that cannot be a number or reference: empty, over 100 characters, or with control characters. */
export function readSearchQuery(input: string): SearchQuery | null {
  const text = searchText(input);
  const length = [...withoutUnseen(input).normalize("NFC").trim()].length;
  if (text === "" || length > queryLengthMax || control.test(text)) return null;
  const containerNumber = text.replace(spacesAndDashes, "");
  return { containerNumber, number: normalizeContainerNumber(containerNumber), text };
}
