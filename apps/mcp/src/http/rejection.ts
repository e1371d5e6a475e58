import { errorCodes } from "../protocol/protocol-error.ts";

/** HTTP response that refuses a request before it is handled, with a JSON-RPC error. */
export interface Rejection {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * `token`: "rejected" when one was sent and is not accepted (RFC 6750, 3.1). `signIn`: where a client reads how its
 * user signs in (RFC 9728, 5.1), and the scopes to request; absent when OAuth is not offered, so that no client
 * begins it.
 */
export function unauthorized(
  token: "absent" | "rejected",
  signIn?: { readonly metadataUrl: string; readonly scopes: readonly string[] },
): Rejection {
  const challenge = [
    'Bearer realm="svc-mcp"',
    ...(token === "rejected" ? ['error="invalid_token"'] : []),
    ...(signIn === undefined
      ? []
      : [`resource_metadata="${signIn.metadataUrl}"`, `scope="${signIn.scopes.join(" ")}"`]),
  ];
  return {
    status: 401,
    code: errorCodes.unauthorized,
    message:
      token === "rejected"
        ? "The Authorization header is not accepted. Send `Authorization: Bearer <API token>` or `Token <API token>`."
        : "No API token. Send `Authorization: Bearer <API token>`.",
    headers: { "WWW-Authenticate": challenge.join(", ") },
  };
}

/** Beyond the limit of the client's address. */
export function tooManyUnauthorized(limit: number, waitSeconds: number): Rejection {
  return {
    status: 429,
    code: errorCodes.rateLimited,
    message: `Limit of ${limit} requests per minute without a valid API token from this address exceeded. Send \`Authorization: Bearer <API token>\`. Requests with a valid token are not affected. Retry without one after ${waitSeconds} s.`,
    headers: { "Retry-After": String(waitSeconds) },
    data: { retry_after_s: waitSeconds },
  };
}

export const rejections = {
  host: {
    status: 403,
    code: errorCodes.forbidden,
    message: "This Host is not allowed. The operator of the server lists it in SVC_MCP_ALLOWED_HOSTS.",
  },
  origin: {
    status: 403,
    code: errorCodes.forbidden,
    message: "This Origin is not allowed. The operator of the server lists it in SVC_MCP_ALLOWED_ORIGINS.",
  },
  method: {
    status: 405,
    code: 405,
    message: "Method not allowed. Send JSON-RPC messages by POST; this server keeps no session and opens no stream.",
    headers: { Allow: "POST, OPTIONS" },
  },
  accept: {
    status: 406,
    code: 406,
    message: "Not acceptable. Accept must list application/json and text/event-stream.",
  },
  mediaType: { status: 415, code: 415, message: "Unsupported media type. Content-Type must be application/json." },
  size: { status: 413, code: 413, message: "Payload too large. A message has at most 256 KB." },
  json: { status: 400, code: errorCodes.parse, message: "Parse error: the body is not JSON." },
  batch: {
    status: 400,
    code: errorCodes.invalidRequest,
    message: "Invalid request: send one JSON-RPC message a request; batches are not part of the protocol.",
  },
  message: {
    status: 400,
    code: errorCodes.invalidRequest,
    message: "Invalid request: the body is not a JSON-RPC 2.0 request, notification or response.",
  },
  failed: { status: 500, code: errorCodes.internal, message: "Internal error." },
} as const satisfies Record<string, Rejection>;

export function rejectionBody({ code, message, data }: Rejection, id: string | number | null = null): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } };
}
