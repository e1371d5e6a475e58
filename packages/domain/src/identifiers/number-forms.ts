import { compactNumber } from "./shipment-number.ts";

/** Every form in which a number may be tracked: compact, and with or without the carrier's SCAC in front. */
export function numberForms(text: string, scac: string): readonly string[] {
  const compact = compactNumber(text);
  const bare = compact.startsWith(scac) ? compact.slice(scac.length) : compact;
  return [...new Set([compact, bare, `${scac}${bare}`])];
}
