/** One fault of a refused request, as the API's error document names it. */
export interface ApiFault {
  /** Machine-readable, for example `duplicate`; stable over releases. */
  readonly code: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  /** JSON pointer into the body that was sent, for example `/data/attributes/tags`. */
  readonly pointer: string | undefined;
  /** Query parameter, for example `filter[status]`. */
  readonly parameter: string | undefined;
  readonly header: string | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

export interface ApiErrorDetails {
  readonly status: number;
  /** Quote it to support: it is the API's `X-Request-Id`. */
  readonly requestId: string | undefined;
  readonly faults: readonly ApiFault[];
  /** Seconds from `Retry-After`, if the API sent it. */
  readonly retryAfterSeconds: number | undefined;
}

/** Everything that this package throws. */
export class SvcError extends Error {
  override name = "SvcError";
}

/** Used wrongly: nothing was sent. */
export class UsageError extends SvcError {
  override name = "UsageError";
}

/** Error without a response: the connection failed or broke. `cause` is the error of fetch. */
export class NetworkError extends SvcError {
  override name = "NetworkError";
}

/** Error without a complete response within `timeoutMs`. Whether the request was carried out is unknown. */
export class TimeoutError extends SvcError {
  override name = "TimeoutError";
}

/** The API refused the request. */
export class ApiError extends SvcError {
  override name = "ApiError";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly faults: readonly ApiFault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ApiErrorDetails) {
    super(formatMessage(details));
    this.status = details.status;
    this.requestId = details.requestId;
    this.faults = details.faults;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** JSON pointers of all faults that have one. */
  get pointers(): readonly string[] {
    return this.faults.flatMap((fault) => fault.pointer ?? []);
  }

  hasCode(code: string): boolean {
    return this.faults.some((fault) => fault.code === code);
  }
}

/**
 * 401: the token is missing, unknown, expired or revoked. 429: the same, and too many such requests came from this
 * address.
 */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** 403: the token may not do this. */
export class AuthorizationError extends ApiError {
  override name = "AuthorizationError";
}

/** 403: the account's plan does not include the feature. */
export class FeatureNotEnabledError extends AuthorizationError {
  override name = "FeatureNotEnabledError";
}

/** 404: no such record in this account. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409: contradicts the record's present state or another request with the same key. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 412: the record changed since the `ifMatch` version was read. */
export class PreconditionFailedError extends ApiError {
  override name = "PreconditionFailedError";
}

/** 400 or 422: `faults` has each problem with its pointer or parameter. */
export class ValidationError extends ApiError {
  override name = "ValidationError";
}

/** 429: try again after `retryAfterSeconds`. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** 5xx: the service failed. */
export class UpstreamError extends ApiError {
  override name = "UpstreamError";
}

/** The class that fits the status. */
export function createApiError(details: ApiErrorDetails): ApiError {
  const { status } = details;
  if (status >= 500) return new UpstreamError(details);
  switch (status) {
    case 400:
    case 422:
      return new ValidationError(details);
    case 401:
      return new AuthenticationError(details);
    case 403:
      return details.faults.some((fault) => fault.code === "feature_not_enabled")
        ? new FeatureNotEnabledError(details)
        : new AuthorizationError(details);
    case 404:
      return new NotFoundError(details);
    case 409:
      return new ConflictError(details);
    case 412:
      return new PreconditionFailedError(details);
    case 429:
      return details.faults.some((fault) => fault.header === "Authorization")
        ? new AuthenticationError(details)
        : new RateLimitError(details);
    default:
      return new ApiError(details);
  }
}

function formatMessage({ status, requestId, faults }: ApiErrorDetails): string {
  const parts = faults.map((fault) => {
    const place = fault.pointer ?? fault.parameter ?? fault.header;
    const text = fault.detail ?? fault.title ?? fault.code ?? "refused";
    return place === undefined ? text : `${text} (${place})`;
  });
  const reference = requestId === undefined ? "" : ` [request ${requestId}]`;
  return `${status}: ${parts.length > 0 ? parts.join("; ") : "the API refused the request"}${reference}`;
}
