export const faultStatuses = [401, 404, 500, 502, 503] as const;
export type FaultStatus = (typeof faultStatuses)[number];

/** One way in which the line's server fails to answer as it should. */
export type Fault =
  | { readonly kind: "status"; readonly status: FaultStatus; readonly retryAfterSeconds?: number | undefined }
  | {
      readonly kind: "rate_limit";
      readonly retryAfterSeconds: number;
      /** As an HTTP date instead of a number of seconds. */
      readonly asDate: boolean;
    }
  /** A page of HTML with status 200. */
  | { readonly kind: "html" }
  /** JSON that ends in the middle. */
  | { readonly kind: "truncated" }
  /** The connection is closed without an answer. */
  | { readonly kind: "reset" }
  /** The right answer, this many real seconds late. */
  | { readonly kind: "slow"; readonly seconds: number };

export interface FaultContext {
  /** How often the number was asked about since the process started, this question included. */
  readonly requestCount: number;
  /** Simulated milliseconds since the booking. */
  readonly sinceBookingMs: number;
}

/** Pure: the same context always gives the same fault. Null: answer as you should. */
export type FaultRule = (context: FaultContext) => Fault | null;
