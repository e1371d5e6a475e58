import { z } from "zod";
import { exceptionKinds, exceptionSeverities } from "../exceptions/exception.ts";
import { dayMs, hourMs } from "../instant.ts";
import { zoneOffsetMs } from "../local-time.ts";
import type { RecordOf } from "../records/field-table.ts";

/** How an alert is sent: by e-mail to a member or a mailbox, or to an incoming webhook of a chat channel. */
export const alertChannels = ["email", "slack", "teams"] as const;
export type AlertChannel = (typeof alertChannels)[number];

export const alertFrequencies = ["at_once", "daily", "weekly"] as const;
export type AlertFrequency = (typeof alertFrequencies)[number];

const text = z.string().nullable();
const time = z.iso.datetime().nullable();
const texts = z.array(z.string());

/** Filter of exceptions. An empty list matches any. Values of one list are alternatives; all lists must match. */
const filterFields = {
  kinds: z.array(z.enum(exceptionKinds)).describe("Kinds of exceptions; empty: every kind."),
  severities: z.array(z.enum(exceptionSeverities)).describe("Severities of exceptions; empty: every severity."),
  carriers: texts.describe("SCACs of the shipment or the tracking request; empty: every carrier."),
  customers: texts.describe("Parts of the name of the customer; empty: every customer."),
  /** Tags of the shipment, or those that its tracking request will give it. */
  tags: texts.describe("Tags of the shipment; empty: every shipment."),
  savedViewId: z
    .uuid()
    .nullable()
    .describe("Saved view whose shipments, or whose kind and owner, limit the exceptions. Null: no limit."),
  /** Null: also without a price. */
  minimumAmount: z
    .number()
    .nullable()
    .describe("Minimum amount charged in one currency, as a condition of a digest. Null: no minimum."),
  minimumAmountCurrency: text.describe("ISO 4217 code of the currency of `minimum_amount`. Null: any currency."),
};

/** Null: at once; the weekday also every day. */
const scheduleFields = {
  frequency: z.enum(alertFrequencies).describe("at_once: within a minute of the change; daily and weekly: digests."),
  hour: z.int().min(0).max(23).nullable().describe("Hour of a digest, in `time_zone`."),
  weekday: z.int().min(1).max(7).nullable().describe("Weekday of a weekly digest; 1 is Monday."),
  timeZone: text.describe("IANA time zone name of a digest."),
};

const name = z.string();

const settingFields = {
  ...scheduleFields,
  ...filterFields,
  includesResolved: z.boolean().describe("Whether resolved exceptions are also sent. Only for immediate alerts."),
  active: z.boolean(),
};

/** Settings that a member can change, except the address of a chat channel, which is never returned. */
export const alertSettingFields = { name, ...settingFields };

/** docs/alerts.md. */
export const alertSubscriptionFields = {
  id: z.uuid(),
  name,
  channel: z.enum(alertChannels),
  /** The member who receives e-mail; null: a mailbox or a chat channel. */
  userId: z.uuid().nullable(),
  mailbox: text.describe("E-mail address that is no member's, such as a team's. Null: a member or a chat channel."),
  confirmedAt: time.describe("When a reader of the mailbox agreed to receive alerts. Null: not yet, or no mailbox."),
  ...settingFields,
  unsubscribedAt: time.describe("Time at which the link in a mail paused it."),
  nextDigestAt: time,
  lastSentAt: time,
  lastAttemptAt: time.describe("When the last attempt to send a message ended, also a failed one."),
  lastError: text.describe("Reason for the failure of the last attempt. Null: it did not fail."),
  rowVersion: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** When an alert is sent, by the clock of a place. */
export interface AlertSchedule extends RecordOf<typeof scheduleFields> {}

export interface AlertSubscriptionSettings extends RecordOf<typeof alertSettingFields> {}

/** Subscription of a member, a mailbox or a chat channel to exceptions: which ones, how, and when. */
export interface AlertSubscription extends RecordOf<typeof alertSubscriptionFields> {}

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
