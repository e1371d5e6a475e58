import type { Instant } from "../instant.ts";

/** The result of a test call. Only `accepted` means that the credentials work. */
export const connectionTestCodes = [
  "accepted",
  "credentials_rejected",
  "request_rejected",
  "redirected",
  "not_json",
  "error_in_response",
  "unreadable_response",
  "unexpected_status",
  "carrier_error",
  "timed_out",
  "name_not_resolved",
  "connection_refused",
  "certificate_invalid",
  "connection_failed",
  "rate_limited",
  "paused",
  "budget_spent",
  "not_offered",
  "internal_error",
] as const;
export type ConnectionTestCode = (typeof connectionTestCodes)[number];

/** The outcome of the last test call of a connection. */
export interface ConnectionTest {
  /** Time of the test on the tracking clock. */
  readonly testedAt: Instant;
  readonly code: ConnectionTestCode;
  /** Sentences on the outcome and on what to do, in the terms of the carrier. */
  readonly explanation: string;
  /** Status of the response that decided; null: there was none. */
  readonly httpStatus: number | null;
  /** Real time from the first request until the last response. */
  readonly durationMs: number;
}

/** The container number of test calls: the example of ISO 6346, with a valid check digit. */
export const testContainerNumber = "CSQU3054383";
