import { writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import { plainRecordCalls } from "./plain-records.ts";
import { type CreateOptions, type Reader, segment, type WriteOptions } from "./reader.ts";
import { alertSubscriptionKind } from "./record-kinds.ts";

/** An empty list of the filter matches everything. */
export interface AlertSubscriptionEdit {
  readonly name?: string;
  /** Incoming webhook of a Slack or Teams channel, never shown again. */
  readonly webhookUrl?: string;
  readonly frequency?: "at_once" | "daily" | "weekly";
  /** Hour at which a digest is sent, 0 to 23. */
  readonly hour?: number;
  /** Day on which a weekly digest is sent; 1 is Monday. */
  readonly weekday?: number;
  /** IANA. */
  readonly timeZone?: string;
  readonly kinds?: readonly string[];
  readonly severities?: readonly string[];
  /** SCACs. */
  readonly carriers?: readonly string[];
  /** Parts of names. */
  readonly customers?: readonly string[];
  readonly tags?: readonly string[];
  /** Saved view whose records the exceptions must belong to; null: any. */
  readonly savedViewId?: string | null;
  /** Minimum amount charged so far in one currency; for digests. Null: no minimum. */
  readonly minimumAmount?: number | null;
  /** ISO 4217 code of the currency of `minimumAmount`. Null: any currency. */
  readonly minimumAmountCurrency?: string | null;
  /** Whether the end of an exception is reported, too. Only for alerts that are sent at once. */
  readonly includesResolved?: boolean;
  /** False pauses it. */
  readonly active?: boolean;
}

export interface NewAlertSubscription extends AlertSubscriptionEdit {
  readonly name: string;
  readonly frequency: "at_once" | "daily" | "weekly";
  readonly channel: "email" | "slack" | "teams";
  /** E-mail address of the member, for `email`. */
  readonly member?: string;
  /** Address of no member, in place of `member`, whose readers are asked to confirm it. Only for `email`. */
  readonly mailbox?: string;
}

/** Manages subscriptions to exceptions: recipients, filters, and times. */
export function alertSubscriptionsResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string) => `/alert_subscriptions/${segment(id)}`;
  return {
    ...plainRecordCalls(reader, alertSubscriptionKind, "/alert_subscriptions"),
    create<G extends Format = F>(subscription: NewAlertSubscription, options?: CreateOptions<G>) {
      const body = writeDocument("alert_subscription", undefined, subscription);
      return reader.one(alertSubscriptionKind, { method: "POST", path: "/alert_subscriptions", body }, options);
    },
    update<G extends Format = F>(id: string, edit: AlertSubscriptionEdit, options?: WriteOptions<G>) {
      const body = writeDocument("alert_subscription", id, edit);
      return reader.one(alertSubscriptionKind, { method: "PATCH", path: path(id), body }, options);
    },
    /**
     * Sends a test message, or the request to confirm a mailbox. `last_sent_at` and `last_error` show the outcome
     * within seconds.
     */
    test<G extends Format = F>(id: string, options?: CreateOptions<G>) {
      return reader.one(alertSubscriptionKind, { method: "POST", path: `${path(id)}/test` }, options);
    },
  };
}
