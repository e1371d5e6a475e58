/** Why a command was refused. The jsonapi package maps each code to a status; a code without one does not compile. */
export type ErrorCode =
  | "malformed_document"
  | "invalid_parameter"
  | "unauthorized"
  | "forbidden"
  | "feature_not_enabled"
  | "not_found"
  | "method_not_allowed"
  | "not_acceptable"
  | "conflict"
  | "idempotency_in_progress"
  | "precondition_failed"
  | "payload_too_large"
  | "unsupported_media_type"
  | "invalid"
  | "blank"
  | "duplicate"
  | "not_supported"
  | "limit_reached"
  | "idempotency_key_reused"
  | "rate_limited"
  | "request_timeout"
  | "headers_too_large"
  | "internal"
  | "unavailable";

/** Where the fault is: a JSON pointer into the document, a query parameter or a header. At most one is set. */
export interface ErrorSource {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface Fault {
  readonly code: ErrorCode;
  /** Public: says what is wrong and what to do. Never library text, SQL or a secret. */
  readonly detail: string;
  readonly source?: ErrorSource;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Address that stands for this kind of fault in public; absent: the code says enough. */
  readonly type?: string;
}

/** A refused command, with every fault found and not only the first. */
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

/** An unknown id and another account's id are the same thing to a caller. */
export function notFound(resource: string, id: string): TrackingError {
  return TrackingError.of("not_found", `No ${resource} with id ${JSON.stringify(id.slice(0, 100))} in this account.`);
}
