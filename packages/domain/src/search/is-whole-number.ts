import { normalizeContainerNumber } from "../identifiers/container-number.ts";
import type { SearchQuery } from "./search-query.ts";

/** The numbers of a shipment or of a request. */
export interface NumbersOfRecord {
  readonly numbers: readonly string[];
  /** Carrier of the record; null: not known. */
  readonly scac: string | null;
}

/** Whether the query is one of the numbers, not a part of it, also with the SCAC of its carrier in front. */
export function isWholeNumber({ number }: SearchQuery, { numbers, scac }: NumbersOfRecord): boolean {
  if (number === "") return false;
  const known = numbers.map(normalizeContainerNumber);
  return known.some((own) => own === number || (scac !== null && `${scac}${own}` === number));
}
