import { type AlertSubscription, alertSubscriptionFields } from "@svc/domain/alerts";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { resourceObject } from "../resource.ts";

const attributes = wireAttributes(alertSubscriptionFields, {
  id: omitted,
  userId: {
    member: attribute(
      z
        .string()
        .nullable()
        .describe("E-mail address of the member who receives it. Null: a mailbox or a chat channel."),
      () => null,
    ),
  },
  rowVersion: omitted,
});

/** docs/alerts.md. The address of a chat channel is written and never read. */
export const AlertSubscriptionResource = resourceObject("alert_subscription", attributes.shape, {})
  .omit({ relationships: true })
  .meta({ id: "AlertSubscription" });

export type AlertSubscriptionResource = z.infer<typeof AlertSubscriptionResource>;

/** @param member e-mail address of the member whose id the subscription has. */
export function alertSubscriptionResource(
  { member, ...subscription }: AlertSubscription & { readonly member: string | null },
  baseUrl: string,
): AlertSubscriptionResource {
  return {
    id: subscription.id,
    type: "alert_subscription",
    attributes: { ...attributes.of(subscription), member },
    links: { self: `${baseUrl}/alert_subscriptions/${subscription.id}` },
  };
}
