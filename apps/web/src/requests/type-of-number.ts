import { looksLikeContainerNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import { type RequestType, requestTypes } from "@svc/domain/tracking-requests";

/** The chosen type, or the type detected from the number. */
export function typeOf(chosen: string, number: string): RequestType {
  const known = requestTypes.find((type) => type === chosen);
  if (known) return known;
  return looksLikeContainerNumber(normalizeContainerNumber(number)) ? "container" : "bill_of_lading";
}
