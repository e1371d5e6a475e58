import type { FailedReason } from "./tracking-request.ts";

/** Why a tracking request failed, to follow "Failed: ". */
export const failedReasonText: Readonly<Record<FailedReason, string>> = {
  unrecognized_response: "the carrier response could not be read",
  shipping_line_unreachable: "the carrier could not be reached",
  internal_processing_error: "an internal error occurred",
  awaiting_manifest: "the carrier never listed the containers",
  duplicate: "already tracked",
  expired: "the carrier did not find the number in time",
  retries_exhausted: "the carrier failed too many times",
  not_found: "the carrier does not know this number",
  invalid_number: "the carrier rejects this number as invalid",
  booking_cancelled: "booking cancelled",
  data_unavailable: "the carrier has no data for it",
  scac_auto_detect_failed: "no carrier could be detected from the number",
};
