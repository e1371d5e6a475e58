import type { Instant } from "../instant.ts";

export const requestTypes = ["bill_of_lading", "booking_number", "container"] as const;
export type RequestType = (typeof requestTypes)[number];
/** What is polled: a number at a shipping line, or a container at its terminal. */
export type SubjectKind = RequestType | "terminal_container";

/** docs/contract/reference.md 4. */
export const trackingRequestStatuses = [
  "pending",
  "awaiting_manifest",
  "created",
  "failed",
  "tracking_stopped",
] as const;
export type TrackingRequestStatus = (typeof trackingRequestStatuses)[number];

export const failedReasons = [
  "unrecognized_response",
  "shipping_line_unreachable",
  "internal_processing_error",
  "awaiting_manifest",
  "duplicate",
  "expired",
  "retries_exhausted",
  "not_found",
  "invalid_number",
  "booking_cancelled",
  "data_unavailable",
  "scac_auto_detect_failed",
] as const;
export type FailedReason = (typeof failedReasons)[number];

/** An account's request to track a number, and its progress. */
export interface TrackingRequest {
  readonly id: string;
  readonly requestType: RequestType;
  readonly requestNumber: string;
  readonly normalizedNumber: string;
  readonly scac: string | null;
  readonly refNumbers: readonly string[];
  readonly shipmentTags: readonly string[];
  readonly customerId: string | null;
  readonly status: TrackingRequestStatus;
  readonly failedReason: FailedReason | null;
  readonly isRetrying: boolean;
  readonly retryCount: number;
  /** Null when no user created the token of the request. */
  readonly createdByUserId: string | null;
  readonly shipmentId: string | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
