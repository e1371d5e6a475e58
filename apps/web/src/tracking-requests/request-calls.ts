import type { ApiCall } from "../pages/same-from-api.ts";
import { detectType } from "./read-numbers.ts";
import { readList } from "./request-fields.ts";
import type { TrackForm } from "./track-page.ts";

/** Placeholder for an empty field. */
const toFill = "…";

/** The API requests of the form for one number: detect its carrier and track it. */
export function trackCalls({ number, type, carrier, references, tags }: TrackForm): readonly ApiCall[] {
  const input = number.trim() || toFill;
  const [refNumbers, shipmentTags] = [readList(references), readList(tags)];
  const attributes = {
    request_type: detectType(type, number),
    request_number: input,
    ...(carrier === "" ? { auto_detect_vocc_scac: true } : { scac: carrier }),
    ...(refNumbers.length > 0 && { ref_numbers: refNumbers }),
    ...(shipmentTags.length > 0 && { shipment_tags: shipmentTags }),
  };
  return [
    { method: "POST", path: "/tracking_requests/infer_number", body: { number: input }, mediaType: "application/json" },
    { method: "POST", path: "/tracking_requests", body: { data: { type: "tracking_request", attributes } } },
  ];
}

const sampleDocument = {
  type: "tracking_request",
  attributes: { request_type: "bill_of_lading", request_number: toFill, scac: toFill, ref_numbers: [toFill] },
};

/** Tracks many numbers at once, with one document per number. */
export const bulkCalls: readonly ApiCall[] = [
  { method: "POST", path: "/tracking_requests/bulk", body: { data: [sampleDocument] } },
];
