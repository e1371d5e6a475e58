import { type AlertSubscription, alertChannels, alertFrequencies } from "@svc/domain/alerts";
import { exceptionKinds, exceptionSeverities } from "@svc/domain/exceptions";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

/** docs/alerts.md. The address of a chat channel is written and never read. */
export const AlertSubscriptionResource = resourceObject(
  "alert_subscription",
  {
    name: z.string(),
    channel: z.enum(alertChannels),
    member: z.string().nullable().describe("E-mail address of the member who receives it. Null: a chat channel."),
    frequency: z.enum(alertFrequencies).describe("at_once: within a minute of the change; daily and weekly: digests."),
    hour: z.int().min(0).max(23).nullable().describe("Of a digest, on the clock of `time_zone`."),
    weekday: z.int().min(1).max(7).nullable().describe("Of a weekly digest: 1 is Monday."),
    time_zone: z.string().nullable().describe("IANA time zone name, of a digest."),
    kinds: z.array(z.enum(exceptionKinds)).describe("Kinds of exceptions; empty: every kind."),
    severities: z.array(z.enum(exceptionSeverities)).describe("Empty: every severity."),
    carriers: z.array(z.string()).describe("SCACs of the shipment or the tracking request; empty: every carrier."),
    customers: z.array(z.string()).describe("Parts of the name of the customer; empty: every customer."),
    tags: z.array(z.string()).describe("Tags of the shipment; empty: every shipment."),
    saved_view_id: z
      .uuid()
      .nullable()
      .describe("Only exceptions of the shipments of this saved view, or with its kind and owner. Null: of all."),
    minimum_amount: z
      .number()
      .nullable()
      .describe("Of a digest: only exceptions with at least so much charged in one currency."),
    includes_resolved: z.boolean().describe("Whether resolved exceptions are sent, too. Only at once."),
    active: z.boolean(),
    unsubscribed_at: dateTime.nullable().describe("When the link in a mail paused it."),
    next_digest_at: dateTime.nullable(),
    last_sent_at: dateTime.nullable(),
    last_attempt_at: dateTime.nullable().describe("When the last attempt to send a message ended, also a failed one."),
    last_error: z.string().nullable().describe("Why the last attempt to send failed. Null: it did not."),
    created_at: dateTime,
    updated_at: dateTime,
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "AlertSubscription" });

export type AlertSubscriptionResource = z.infer<typeof AlertSubscriptionResource>;

/** @param member e-mail address of the member whose id the subscription has. */
export function alertSubscriptionResource(
  one: AlertSubscription & { readonly member: string | null },
  baseUrl: string,
): AlertSubscriptionResource {
  return {
    id: one.id,
    type: "alert_subscription",
    attributes: {
      name: one.name,
      channel: one.channel,
      member: one.member,
      frequency: one.frequency,
      hour: one.hour,
      weekday: one.weekday,
      time_zone: one.timeZone,
      kinds: [...one.kinds],
      severities: [...one.severities],
      carriers: [...one.carriers],
      customers: [...one.customers],
      tags: [...one.tags],
      saved_view_id: one.savedViewId,
      minimum_amount: one.minimumAmount,
      includes_resolved: one.includesResolved,
      active: one.active,
      unsubscribed_at: one.unsubscribedAt,
      next_digest_at: one.nextDigestAt,
      last_sent_at: one.lastSentAt,
      last_attempt_at: one.lastAttemptAt,
      last_error: one.lastError,
      created_at: one.createdAt,
      updated_at: one.updatedAt,
    },
    links: { self: `${baseUrl}/alert_subscriptions/${one.id}` },
  };
}
