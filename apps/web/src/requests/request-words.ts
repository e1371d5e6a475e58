import type { FailedReason, RequestType, TrackingRequestStatus } from "@svc/domain/tracking-requests";
import type { MappedTrackingRequest } from "@svc/sdk";

export const requestTypeWords: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "Bill of lading",
  booking_number: "Booking",
  container: "Container",
};

export const requestStatusWords: Readonly<Record<TrackingRequestStatus, string>> = {
  pending: "Waiting for carrier data",
  awaiting_manifest: "Awaiting manifest",
  created: "Tracked",
  failed: "Failed",
  tracking_stopped: "Tracking stopped",
};

const failedReasonWords: Readonly<Record<FailedReason, string>> = {
  unrecognized_response: "the carrier response could not be read",
  shipping_line_unreachable: "the carrier could not be reached",
  internal_processing_error: "an internal error occurred",
  awaiting_manifest: "the carrier never listed the containers",
  duplicate: "already tracked",
  expired: "the carrier did not find it in time",
  retries_exhausted: "the carrier failed too many times",
  not_found: "the carrier does not know this number",
  invalid_number: "the carrier rejects this number as invalid",
  booking_cancelled: "booking cancelled",
  data_unavailable: "the carrier has no data for it",
  scac_auto_detect_failed: "no carrier could be detected from the number",
};

type RequestState = Pick<MappedTrackingRequest, "status" | "failedReason" | "isRetrying" | "retryCount">;

/** The state of a request in one line. */
export function requestStateWords({ status, failedReason, isRetrying, retryCount }: RequestState): string {
  if (failedReason === "duplicate") return "Already tracked";
  if (status === "failed") return failedReason ? `Failed: ${failedReasonWords[failedReason]}` : "Failed";
  const words = requestStatusWords[status];
  return isRetrying ? `${words}, attempt ${(retryCount ?? 0) + 1}` : words;
}
