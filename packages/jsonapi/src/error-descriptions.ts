import type { ErrorCode } from "./tracking-error.ts";

/** Explanations for the page that `links.type` of an error refers to. A code without one does not compile. */
export const errorDescriptions = {
  malformed_document: "The body is not JSON, or its structure is not that of the operation's document.",
  invalid_parameter: "A query parameter or a header is unknown, repeated or has an invalid value.",
  unauthorized: "The token is missing, unknown, expired or revoked.",
  forbidden: "The token does not permit this, or the value is assigned by the service.",
  feature_not_enabled: "The operation requires a feature that the account does not have.",
  not_found: "The account has no such resource.",
  method_not_allowed: "The URL does not support the method. Allow lists the supported ones.",
  not_acceptable: "Accept excludes every media type of the operation's responses.",
  conflict: "The body identifies another record than the URL, or the state of the record does not allow the operation.",
  idempotency_in_progress: "The first request with this Idempotency-Key is still in progress. Retry later.",
  precondition_failed: "The record has changed since the version in If-Match. Get the record again.",
  payload_too_large: "The body exceeds the maximum size.",
  headers_too_large: "URL and headers together exceed 16 KiB.",
  request_timeout: "The request did not arrive in time.",
  unsupported_media_type: "The operation does not support the Content-Type or Content-Encoding.",
  invalid: "A value of the body is not valid. The pointer identifies it.",
  blank: "A value of the body is missing or empty. The pointer gives its position.",
  duplicate: "The resource already exists. meta identifies it where possible.",
  not_supported: "The carrier or the record does not support this.",
  limit_reached: "The account has the maximum number of these resources. Delete one that is not needed.",
  idempotency_key_reused: "This Idempotency-Key was used for another request. Use a new one.",
  rate_limited: "The rate limit is exceeded. Retry after the number of seconds in Retry-After.",
  internal: "An error of the service. Include the request's id when you report it.",
  unavailable: "The service is temporarily unavailable. Retry after the number of seconds in Retry-After.",
} as const satisfies Record<ErrorCode, string>;
