/** Error codes with their HTTP status (docs/contract/decisions.md 2). */
export const statusByCode = {
  malformed_document: 400,
  invalid_parameter: 400,
  unauthorized: 401,
  forbidden: 403,
  feature_not_enabled: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  idempotency_in_progress: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  blank: 422,
  duplicate: 422,
  not_supported: 422,
  limit_reached: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusByCode;

/** Position of the fault: a JSON pointer into the document, a query parameter or a header. At most one is set. */
export interface ErrorSource {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface Fault {
  readonly code: ErrorCode;
  /** Public: what is wrong and what to do. Never library text, SQL or a secret. */
  readonly detail: string;
  readonly source?: ErrorSource;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Public URI of this kind of fault. Not set: the code is enough. */
  readonly type?: string;
}

/** A refused command with all faults that were found. */
export class TrackingError extends Error {
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(faults: readonly [Fault, ...Fault[]], options?: { cause?: unknown }) {
    super(faults.map((fault) => fault.detail).join(" "), options);
    this.name = "TrackingError";
    this.faults = faults;
  }

  static of(code: ErrorCode, detail: string, rest: Omit<Fault, "code" | "detail"> = {}): TrackingError {
    return new TrackingError([{ code, detail, ...rest }]);
  }
}

/** Position of an attribute by its wire name, or of a part of its value: `origins/0`. */
export function attributeSource(name: string): { readonly pointer: string } {
  return { pointer: `/data/attributes/${name}` };
}

/** For a value that is not valid; `name` is as for {@link attributeSource}. */
export function invalidAttribute(name: string, detail: string): TrackingError {
  return TrackingError.of("invalid", detail, { source: attributeSource(name) });
}

/** An account may have no more of these resources; `pointer` is the part of the document that would create one. */
export function limitReached(detail: string, pointer = "/data"): TrackingError {
  return TrackingError.of("limit_reached", detail, { source: { pointer } });
}

/** An unknown id and another account's id are the same thing to a caller. */
export function notFound(resource: string, id: string): TrackingError {
  return TrackingError.of("not_found", `No ${resource} with id ${JSON.stringify(id.slice(0, 100))} in this account.`);
}
