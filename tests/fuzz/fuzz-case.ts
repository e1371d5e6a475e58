import type { Operation } from "./fuzz-context.ts";
import type { WireRequest } from "./wire.ts";

/** A request with what must become of it. */
export interface FuzzCase {
  /** Fault of the request, for the person who reads a failure. */
  readonly name: string;
  readonly request: WireRequest | { readonly bytes: string };
  /**
   * "refused": a 4xx with an error document. "outcome": the same, or an answer of a bulk operation in which every item
   * was refused. "read": harmless, so it is answered. "unheard": no HTTP, so that the connection ends with the refusal,
   * or with a bare 4xx.
   */
  readonly expected: "refused" | "outcome" | "read" | "unheard";
  /** The statuses that it may have. */
  readonly statuses: readonly number[];
}

const jsonApi = "application/vnd.api+json";

function typeOf({ body, file }: Operation): string {
  if (file !== undefined) return "text/plain";
  return body?.schema.properties?.data ? jsonApi : "application/json";
}

export interface Change {
  readonly path?: string;
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
  readonly body?: Uint8Array | string;
  readonly chunked?: boolean;
}

/** A right request for the operation, but for what is changed. */
export function requestFor(operation: Operation, token: string, change: Change = {}): WireRequest {
  const { body: own } = operation;
  const body = change.body ?? (own ? JSON.stringify(own.valid) : operation.file);
  const query = change.query ?? operation.query;
  const headers: Record<string, string> = {
    Authorization: `Token ${token}`,
    Accept: "*/*",
    ...(body !== undefined && { "Content-Type": typeOf(operation) }),
    ...change.headers,
  };
  for (const name of change.without ?? []) delete headers[name];
  return {
    method: change.method ?? operation.method,
    path: `${change.path ?? operation.path}${query === "" ? "" : `?${query}`}`,
    headers,
    ...(body !== undefined && { body: typeof body === "string" ? Buffer.from(body) : body }),
    ...(change.chunked && { chunked: true }),
  };
}
