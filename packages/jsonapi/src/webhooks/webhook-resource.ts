import { noticeKinds, type Webhook } from "@svc/domain/webhooks";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

/** docs/contract/specification.md resource.webhook; docs/contract/reference.md 2.6. */
export const WebhookResource = resourceObject(
  "webhook",
  {
    url: z.url(),
    active: z.boolean().describe("While false, no notifications are created for the webhook."),
    paused: z.boolean().describe("While true, notifications are held back and sent when deliveries resume."),
    rate_limit: z.number().int().nullable().describe("Maximum number of deliveries per second. Null: no limit."),
    events: z.array(z.string()).describe("Event names, families such as `container.transport.*`, or `*`."),
    secret: z.string().nullable().describe("Signing key created by the service; null for a token without write scope."),
    headers: z
      .array(z.object({ name: z.string(), value: z.string().nullable() }))
      .describe("Sent with every delivery. Values are null for a token without write scope."),
    created_at: dateTime,
    failing_since: dateTime
      .nullable()
      .describe("Time of the first failure since the last success. Null: no failure since."),
    last_notice: z.enum(noticeKinds).nullable().describe("Kind of the latest notice."),
    last_notice_at: dateTime.nullable(),
    deactivated_at: dateTime.nullable().describe("When the service stopped deliveries after repeated failures."),
    deactivated_reason: z.string().nullable(),
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "Webhook" });

export type WebhookResource = z.infer<typeof WebhookResource>;

/** @param showsSecrets includes signing key and header values, with which a reader could impersonate the service. */
export function webhookResource(webhook: Webhook, baseUrl: string, showsSecrets: boolean): WebhookResource {
  return {
    id: webhook.id,
    type: "webhook",
    attributes: {
      url: webhook.url,
      active: webhook.active,
      paused: webhook.paused,
      rate_limit: webhook.rateLimit,
      events: [...webhook.events],
      secret: showsSecrets ? webhook.secret : null,
      headers: webhook.headers.map(({ name, value }) => ({ name, value: showsSecrets ? value : null })),
      created_at: webhook.createdAt,
      failing_since: webhook.failingSince,
      last_notice: webhook.lastNotice,
      last_notice_at: webhook.lastNoticeAt,
      deactivated_at: webhook.deactivatedAt,
      deactivated_reason: webhook.deactivatedReason,
    },
    links: { self: `${baseUrl}/webhooks/${webhook.id}` },
  };
}
