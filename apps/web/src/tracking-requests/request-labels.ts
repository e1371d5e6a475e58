import { failedReasonText, type RequestType, type TrackingRequestStatus } from "@svc/domain/tracking-requests";
import type { MappedTrackingRequest } from "@svc/sdk";

export const requestTypeLabels: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "Bill of lading",
  booking_number: "Booking",
  container: "Container",
};

/** "Requested as booking." `chosen`: the number type of the form. Detection takes a booking for a bill of lading. */
export function requestedAs(type: RequestType, chosen: string): string {
  if (type === "bill_of_lading" && chosen === "auto")
    return "Requested as bill of lading. If it is a booking, track it again with that type.";
  return `Requested as ${requestTypeLabels[type].toLowerCase()}.`;
}

export const requestStatusLabels: Readonly<Record<TrackingRequestStatus, string>> = {
  pending: "Waiting for carrier data",
  awaiting_manifest: "Awaiting manifest",
  created: "Tracked",
  failed: "Failed",
  tracking_stopped: "Tracking stopped",
};

type RequestState = Pick<MappedTrackingRequest, "status" | "failedReason" | "isRetrying" | "retryCount">;

/** The state of a request in one line. */
export function requestStateText({ status, failedReason, isRetrying, retryCount }: RequestState): string {
  if (failedReason === "duplicate") return "Already tracked";
  if (status === "failed") return failedReason ? `Failed: ${failedReasonText[failedReason]}` : "Failed";
  const label = requestStatusLabels[status];
  return isRetrying ? `${label}, attempt ${(retryCount ?? 0) + 1}` : label;
}
