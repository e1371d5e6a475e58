/** Why a request failed. */
export type EgressFault =
  | "invalid_target"
  | "invalid_header"
  | "blocked_address"
  | "dns_error"
  | "connect_timeout"
  | "connection_failed"
  | "tls_error"
  | "timeout"
  | "protocol_error"
  | "interrupted";

/** A refused or failed request. The message is shown to the owner of the target, so it contains no internal address. */
export class EgressError extends Error {
  readonly fault: EgressFault;

  constructor(fault: EgressFault, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "EgressError";
    this.fault = fault;
  }
}
