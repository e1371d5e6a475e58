import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";

export const requestTypes = ["bill_of_lading", "booking_number", "container"] as const;
export type RequestType = (typeof requestTypes)[number];
/** Kind of a polled subject: a number at a shipping line, or a container at its terminal. */
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

/** docs/contract/specification.md, Other resources; docs/contract/reference.md 2.3. */
export const trackingRequestFields = {
  id: z.uuid(),
  requestNumber: z.string().describe("The number as it was submitted."),
  requestType: z.enum(requestTypes),
  scac: z.string().nullable().describe("SCAC of the carrier. Null while it is being detected."),
  refNumbers: z.array(z.string()),
  shipmentTags: z.array(z.string()),
  status: z.enum(trackingRequestStatuses),
  failedReason: z.enum(failedReasons).nullable(),
  isRetrying: z.boolean(),
  retryCount: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  normalizedNumber: z.string(),
  customerId: z.uuid().nullable(),
  /** Null when no user created the token of the request. */
  createdByUserId: z.uuid().nullable(),
  shipmentId: z.uuid().nullable(),
  rowVersion: z.number().int(),
};

/** An account's request to track a number, and its progress. */
export interface TrackingRequest extends RecordOf<typeof trackingRequestFields> {}
