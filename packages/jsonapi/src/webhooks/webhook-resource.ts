import type { Webhook } from "@svc/domain";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

/** interface-specification.md, Other resources (`active`); reference-contract.md 2.6. */
export const WebhookResource = resourceObject(
  "webhook",
  {
    url: z.url(),
    active: z.boolean(),
    events: z.array(z.string()).describe("Event names, families such as `container.transport.*`, or `*`."),
    secret: z.string().describe("Signing key, made by the service."),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).describe("Sent with every delivery."),
    created_at: dateTime,
    deactivated_at: dateTime.nullable().describe("When the service stopped deliveries after repeated failures."),
    deactivated_reason: z.string().nullable(),
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "Webhook" });

export type WebhookResource = z.infer<typeof WebhookResource>;

export function webhookResource(webhook: Webhook, baseUrl: string): WebhookResource {
  return {
    id: webhook.id,
    type: "webhook",
    attributes: {
      url: webhook.url,
      active: webhook.active,
      events: [...webhook.events],
      secret: webhook.secret,
      headers: webhook.headers.map(({ name, value }) => ({ name, value })),
      created_at: webhook.createdAt,
      deactivated_at: webhook.deactivatedAt,
      deactivated_reason: webhook.deactivatedReason,
    },
    links: { self: `${baseUrl}/webhooks/${webhook.id}` },
  };
}
