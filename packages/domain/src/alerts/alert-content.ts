import type { ExceptionKind, ExceptionResolution, ExceptionSeverity } from "../exceptions/exception.ts";
import type { AlertFrequency } from "./alert-subscription.ts";

/** Entries that one message lists; the others are counted. */
export const alertEntriesMax = 50;

/** One exception in a message, as it was when the message was composed. */
export interface AlertEntry {
  readonly id: string;
  readonly kind: ExceptionKind;
  readonly severity: ExceptionSeverity;
  /** Number of the container, the shipment or the tracking request. */
  readonly number: string;
  readonly summary: string;
  readonly cause: string | null;
  /** Of a new exception: the step of its case whose place it took. Null or missing: it took none. */
  readonly previousKind?: ExceptionKind | null;
  /** Of a resolved exception. Missing: it is open, or a previous build composed the message. */
  readonly resolution?: ExceptionResolution | null;
  /** Cargo, route and ETA (`exceptionContext`). Null: not known; missing: a previous build composed the message. */
  readonly context?: string | null;
}

/** Content of a message. It is stored, so that every attempt sends the same. */
export interface AlertContent {
  /** `confirmation`: asks the readers of a mailbox whether alerts may be sent to it. */
  readonly reason: AlertFrequency | "test" | "confirmation";
  /** The most urgent first, `alertEntriesMax` at most. */
  readonly open: readonly AlertEntry[];
  readonly openCount: number;
  /** How many of those open were opened since the last digest; null: all, or of no digest. */
  readonly newCount: number | null;
  readonly countByKind: readonly { readonly kind: ExceptionKind; readonly count: number }[];
  readonly resolved: readonly AlertEntry[];
  readonly resolvedCount: number;
}
