import type { FailedReason, RequestType, TrackingRequest, TrackingRequestStatus } from "@svc/domain";

export const requestTypeWords: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "Bill of lading",
  booking_number: "Booking",
  container: "Container",
};

export const requestStatusWords: Readonly<Record<TrackingRequestStatus, string>> = {
  pending: "Waiting for the carrier",
  awaiting_manifest: "Not known to the carrier yet",
  created: "Tracked",
  failed: "Failed",
  tracking_stopped: "Tracking stopped",
};

const failedReasonWords: Readonly<Record<FailedReason, string>> = {
  unrecognized_response: "the carrier's answer could not be read",
  shipping_line_unreachable: "the carrier could not be reached",
  internal_processing_error: "something went wrong here",
  awaiting_manifest: "the carrier never listed the containers",
  duplicate: "it is tracked already",
  expired: "the carrier did not know it in time",
  retries_exhausted: "the carrier failed too often",
  not_found: "the carrier does not know this number",
  invalid_number: "the carrier says that the number is not valid",
  booking_cancelled: "the booking was cancelled",
  data_unavailable: "the carrier has no data for it",
  scac_auto_detect_failed: "no shipping line could be told from the number",
};

/** How far a request came, in one line. */
export function requestStateWords({ status, failedReason, isRetrying, retryCount }: TrackingRequest): string {
  if (status === "failed") return failedReason ? `Failed: ${failedReasonWords[failedReason]}` : "Failed";
  const words = requestStatusWords[status];
  return isRetrying ? `${words}, attempt ${retryCount + 1}` : words;
}
