import type { ConnectionError } from "../carrier-connections/carrier-connection.ts";
import type { EtaChangeCause } from "../eta-changes/eta-change-cause.ts";
import type { NamedPlace, PlannedVoyage } from "../eta-changes/planned-voyage.ts";
import type { Instant } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";
import type { Money } from "../money/money.ts";
import type { FailedReason } from "../tracking-requests/tracking-request.ts";

/** Kinds of conditions that an operator has to act on, the most urgent first (docs/exceptions.md). */
export const exceptionKinds = [
  "last_free_day_over",
  "last_free_day_today",
  "customs_hold",
  "hold",
  "missed_transshipment",
  "port_of_discharge_changed",
  "tracking_request_failed",
  "fee",
  "late_appointment",
  "last_free_day_soon",
  "connection_at_risk",
  "rollover",
  "arrival_overdue",
  "eta_delay",
  "not_returned",
  "carrier_silent",
  "tracking_request_waiting",
] as const;

export type ExceptionKind = (typeof exceptionKinds)[number];

export const exceptionSeverities = ["critical", "warning"] as const;
export type ExceptionSeverity = (typeof exceptionSeverities)[number];

export const exceptionStatuses = ["open", "snoozed", "resolved"] as const;
export type ExceptionStatus = (typeof exceptionStatuses)[number];

/**
 * Why an exception is resolved: its condition ended, the next step of its case took its place, tracking of its shipment
 * ended, or a member resolved it.
 */
export const exceptionResolutions = ["cleared", "superseded", "tracking_stopped", "by_member"] as const;
export type ExceptionResolution = (typeof exceptionResolutions)[number];

/** The facts of an exception. JSON; a member that does not apply to its kind is absent. */
export interface ExceptionDetails {
  /** Number of days past or until the last free day, since the pickup, later than first estimated, or waiting. */
  readonly days?: number;
  readonly lastFreeDay?: LocalDate;
  /**
   * Last free day that the terminal, carrier or railway reports, where a demurrage rule has an earlier one. Null: none
   * is reported.
   */
  readonly reportedLastFreeDay?: LocalDate | null;
  /** The day of the pickup appointment, at the place of pickup. */
  readonly appointmentDate?: LocalDate;
  /** Names of the holds that are in force. */
  readonly holds?: readonly string[];
  /** Amounts charged so far, one for each currency. */
  readonly amounts?: readonly Money[];
  /** What the amounts are, where they are no charges by time alone: types such as `exam`. Missing: not known. */
  readonly feeTypes?: readonly string[];
  /** The price of the next day, of the same source as the demurrage among the amounts. Missing: not known. */
  readonly perDay?: Money;
  /** Whether the terminal reports the demurrage, or rules of the account charge it. Missing: none is charged. */
  readonly demurrageSource?: "terminal" | "rule";
  /** The day on which tracking stopped, at the place of pickup or arrival. Missing: it is tracked. */
  readonly trackingStoppedDate?: LocalDate;
  readonly estimatedArrivalAt?: Instant;
  /** The day of the estimate in the time zone of the port of discharge. */
  readonly estimatedArrivalDate?: LocalDate;
  /** Whole days since the estimate passed without a reported arrival. Missing: it has not passed. */
  readonly overdueDays?: number;
  /** Cause of the last ETA change for which the reports show one. */
  readonly etaChangeCause?: EtaChangeCause;
  /** Port where the voyage changed, or the present port of discharge. */
  readonly place?: NamedPlace;
  /** The port of discharge that was reported first. */
  readonly previousPlace?: NamedPlace;
  /** Former plan of the voyage. */
  readonly previousVoyage?: PlannedVoyage;
  /** Null: the carrier has not named another vessel. */
  readonly nextVoyage?: PlannedVoyage | null;
  /** Time from the planned departure to the later arrival of the container at the transshipment port. */
  readonly arrivedAfterDepartureMs?: number;
  readonly arrivalIsActual?: boolean;
  /** Time from the arrival at the transshipment port to the planned departure; negative: it departs before. */
  readonly connectionMs?: number;
  /** Since when the carrier has not answered, or has reported nothing new. */
  readonly silentSince?: Instant;
  /** The carrier has not answered. Missing: it answers, and reports nothing new. */
  readonly isUnanswered?: true;
  /** When a carrier that has not answered made its last report. */
  readonly reportedAt?: Instant;
  readonly failedReason?: FailedReason | null;
  readonly requestStatus?: "pending" | "awaiting_manifest";
  /** SCAC, null where it is not detected. Missing: the carrier is connected, and is queried. */
  readonly unconnectedCarrier?: string | null;
  /**
   * The account's connection to the carrier fails. Read with the exception, not stored: it changes without its facts.
   */
  readonly failingConnection?: { readonly scac: string; readonly error: ConnectionError };
}

/** Condition that the rules found. */
export interface FoundException {
  readonly kind: ExceptionKind;
  readonly severity: ExceptionSeverity;
  /** Null: of the shipment or the tracking request itself. */
  readonly containerId: string | null;
  readonly details: ExceptionDetails;
}

/** A condition of a shipment, a container or a tracking request, from when it was found until it ended. */
export interface Exception extends FoundException {
  readonly id: string;
  readonly shipmentId: string | null;
  readonly trackingRequestId: string | null;
  /** Number of the container, bill of lading or request that the exception is about. */
  readonly number: string;
  readonly priority: number;
  readonly shipmentNumber: string | null;
  readonly openedAt: Instant;
  /** Null: the condition still holds, also when a member has resolved the exception. */
  readonly endedAt: Instant | null;
  readonly resolvedAt: Instant | null;
  readonly resolution: ExceptionResolution | null;
  /** E-mail address of the member, or name of the API token, that resolved it. Null: not by hand, or not known. */
  readonly resolvedBy: string | null;
  readonly ownerUserId: string | null;
  readonly snoozedUntil: Instant | null;
  readonly note: string | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export function exceptionStatus(
  { resolvedAt, snoozedUntil }: Pick<Exception, "resolvedAt" | "snoozedUntil">,
  now: Instant,
): ExceptionStatus {
  if (resolvedAt !== null) return "resolved";
  return snoozedUntil !== null && snoozedUntil > now ? "snoozed" : "open";
}

const daysMax = 999;

/** Returns the priority by kind, then by days; a larger number is more urgent. */
export function exceptionPriority({ kind, details: { days = 0 } }: Pick<FoundException, "kind" | "details">): number {
  const rank = exceptionKinds.length - exceptionKinds.indexOf(kind);
  const clampedDays = Math.min(Math.max(days, 0), daysMax);
  return rank * (daysMax + 1) + (kind === "last_free_day_soon" ? daysMax - clampedDays : clampedDays);
}
