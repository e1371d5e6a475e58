import { readSearchQuery } from "@svc/domain";
import type { Services } from "../services.ts";

/**
 * Ids of the shipments that the typed text leads to, each form of it to `limit` at most, newest first. A number may be typed with
 * separators that the records do not have: it is looked for in both forms.
 */
export async function matchingShipments(
  services: Services,
  accountId: string,
  typed: string,
  limit: number,
): Promise<string[]> {
  const wanted = readSearchQuery(typed);
  if (!wanted) return [];
  const { number, text } = wanted;
  const forms = number === "" || number === text ? [wanted] : [wanted, { number, text: number }];
  const found = await Promise.all(forms.map((form) => services.findMatchingShipments(accountId, form, limit)));
  return [...new Set(found.flat())];
}
