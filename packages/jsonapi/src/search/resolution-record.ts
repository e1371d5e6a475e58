import type { Resolution } from "@svc/domain/search";

/**
 * The JSON form of a resolved deep link (docs/contract/decisions.md 6). `url` is the target of the browser's redirect.
 */
export interface ResolutionRecord {
  readonly query: string;
  /** Rule that matched, or "none". */
  readonly match: Resolution["rule"] | "none";
  readonly shipment_id: string | null;
  readonly container_id: string | null;
  readonly url: string;
}

export function resolutionRecord(query: string, resolution: Resolution | null, url: string): ResolutionRecord {
  return {
    query,
    match: resolution?.rule ?? "none",
    shipment_id: resolution?.shipmentId ?? null,
    container_id: resolution?.containerId ?? null,
    url,
  };
}
