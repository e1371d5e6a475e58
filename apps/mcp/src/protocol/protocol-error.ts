/** A JSON-RPC error as the caller sees it. The MCP package writes code, message and data of whatever is thrown. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * Codes of JSON-RPC and MCP. Those of our own are HTTP statuses: codes from -32768 to -32000 are reserved.
 */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Code of revision 2026-07-28: a header does not repeat the value of the body. */
  headerMismatch: -32020,
  /** Code of revision 2026-07-28: the request needs a capability that the client did not declare. */
  missingCapability: -32021,
  unauthorized: 401,
  forbidden: 403,
  rateLimited: 429,
} as const;

export function invalidParams(message: string, data?: Readonly<Record<string, unknown>>): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, message, data);
}
