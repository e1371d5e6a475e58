import type { ExceptionKind, ExceptionSeverity } from "../exceptions/exception.ts";
import { dayMs, hourMs, type Instant } from "../instant.ts";
import { zoneOffsetMs } from "../local-time.ts";

/** How an alert is sent: by e-mail to a member, or to an incoming webhook of a chat channel. */
export const alertChannels = ["email", "slack", "teams"] as const;
export type AlertChannel = (typeof alertChannels)[number];

export const alertFrequencies = ["at_once", "daily", "weekly"] as const;
export type AlertFrequency = (typeof alertFrequencies)[number];

/** Which exceptions an alert is about. An empty list: any. Several values of one: any of them; several lists: all. */
export interface AlertFilter {
  readonly kinds: readonly ExceptionKind[];
  readonly severities: readonly ExceptionSeverity[];
  /** SCACs of the shipment or the tracking request. */
  readonly carriers: readonly string[];
  /** Parts of the customer's name. */
  readonly customers: readonly string[];
  /** Tags of the shipment, or those that the request gives it. */
  readonly tags: readonly string[];
  /** Only exceptions of the records of this saved view. Null: of all. */
  readonly savedViewId: string | null;
  /** Charged so far in one currency. Null: also without a price. */
  readonly minimumAmount: number | null;
}

/** When an alert is sent, by the clock of a place. */
export interface AlertSchedule {
  readonly frequency: AlertFrequency;
  /** 0 to 23; null: at once. */
  readonly hour: number | null;
  /** 1 (Monday) to 7; null: every day, or at once. */
  readonly weekday: number | null;
  /** IANA; null: at once. */
  readonly timeZone: string | null;
}

/** Who is alerted of which exceptions, how and when (docs/alerts.md). */
export interface AlertSubscription extends AlertFilter, AlertSchedule {
  readonly id: string;
  readonly name: string;
  readonly channel: AlertChannel;
  /** The member who receives e-mail; null: a chat channel. */
  readonly userId: string | null;
  /** Whether an alert is also sent when an exception is resolved. At once only. */
  readonly includesResolved: boolean;
  readonly active: boolean;
  /** When the link in a mail paused it. */
  readonly unsubscribedAt: Instant | null;
  readonly nextDigestAt: Instant | null;
  readonly lastSentAt: Instant | null;
  /** When the last attempt to send a message ended, also a failed one. */
  readonly lastAttemptAt: Instant | null;
  /** Why the last message could not be sent; null: it could. */
  readonly lastError: string | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

const daysAhead = 8;

/** When the next digest is due, strictly after a time; null for alerts that are sent at once. */
export function nextDigestMs({ hour, weekday, timeZone }: AlertSchedule, afterMs: number): number | null {
  if (hour === null || timeZone === null) return null;
  const offsetMs = (atMs: number): number => zoneOffsetMs(timeZone, atMs) ?? 0;
  const today = new Date(afterMs + offsetMs(afterMs));
  const midnight = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate());
  for (let day = 0; day <= daysAhead; day++) {
    const localMs = midnight + day * dayMs + hour * hourMs;
    if (weekday !== null && (new Date(localMs).getUTCDay() || 7) !== weekday) continue;
    // The offset of the result, which differs from that of the first guess around a change of the clock.
    const atMs = localMs - offsetMs(localMs - offsetMs(localMs));
    if (atMs > afterMs) return atMs;
  }
  return null;
}
