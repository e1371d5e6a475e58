export const faultStatuses = [401, 404, 500, 502, 503] as const;
export type FaultStatus = (typeof faultStatuses)[number];

/** A failure of the carrier's server. */
export type Fault =
  | { readonly kind: "status"; readonly status: FaultStatus; readonly retryAfterSeconds?: number | undefined }
  | {
      readonly kind: "rate_limit";
      readonly retryAfterSeconds: number;
      /** Whether Retry-After is an HTTP date instead of a number of seconds. */
      readonly asDate: boolean;
    }
  /** A page of HTML with status 200. */
  | { readonly kind: "html" }
  /** JSON that ends in the middle. */
  | { readonly kind: "truncated" }
  /** The connection is closed without a response. */
  | { readonly kind: "reset" }
  /** The normal response after this many real seconds. */
  | { readonly kind: "slow"; readonly seconds: number };

export interface FaultContext {
  /** Number of requests for the shipment since the process started, this one included. */
  readonly requestCount: number;
  /** Simulated milliseconds since the booking. */
  readonly sinceBookingMs: number;
}

/** A pure function of the context. Null for the normal response. */
export type FaultRule = (context: FaultContext) => Fault | null;
