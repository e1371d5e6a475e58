import type { ErrorCode } from "@svc/domain";

/** Explanations for the page that `links.type` of an error refers to. A code without one does not compile. */
export const errorMeanings = {
  malformed_document: "The body is not JSON, or has not the build of the document that the operation takes.",
  invalid_parameter: "A query parameter or a header is unknown, repeated or has a value that it cannot have.",
  unauthorized: "The token is missing, unknown, expired or revoked.",
  forbidden: "The token may not do this, or the service decides what the client tried to decide.",
  feature_not_enabled: "The account does not have the feature that the operation is part of.",
  not_found: "There is no such thing in this account.",
  method_not_allowed: "The address is right, the method is not; Allow names those that are.",
  not_acceptable: "Accept admits no media type that the operation answers with.",
  conflict: "The body names another record than the address, or the state of the record does not allow it.",
  idempotency_in_progress: "The first request with this Idempotency-Key has no answer yet. Ask again.",
  precondition_failed: "The record has changed since the version of If-Match. Read it again.",
  payload_too_large: "The body is larger than the service reads.",
  headers_too_large: "Address and headers together are larger than the service reads (16 KiB).",
  request_timeout: "The request did not arrive in time.",
  unsupported_media_type: "Content-Type or Content-Encoding is none that the operation reads.",
  invalid: "A value of the body breaks a rule; the pointer says which.",
  blank: "A value of the body is missing or empty. A missing one is pointed at where it should be.",
  duplicate: "It is there already; meta names it where that helps.",
  not_supported: "The carrier or the record cannot do this.",
  limit_reached: "The account has as many of these as it may have. Delete one that is not needed.",
  idempotency_key_reused: "This Idempotency-Key was used for another request. Use a new one.",
  rate_limited: "The limit of requests is reached. Retry-After says how many seconds to wait.",
  internal: "Our fault. The request's id helps us to find it.",
  unavailable: "Not ready now. Retry-After says how many seconds to wait.",
} as const satisfies Record<ErrorCode, string>;
