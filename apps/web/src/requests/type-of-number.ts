import { looksLikeContainerNumber, normalizeContainerNumber, type RequestType, requestTypes } from "@svc/domain";

/** What the person meant, or what the number looks like. */
export function typeOf(chosen: string, number: string): RequestType {
  const known = requestTypes.find((type) => type === chosen);
  if (known) return known;
  return looksLikeContainerNumber(normalizeContainerNumber(number)) ? "container" : "bill_of_lading";
}
