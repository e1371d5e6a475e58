import { noticeKinds, type WebhookNotice } from "@svc/domain/webhooks";
import { z } from "zod";
import { dateTime, linkage, toOne } from "../resource.ts";

/** A notice about the health of a webhook endpoint. Read with its webhook, so it has no URL. */
export const WebhookNoticeResource = z
  .object({
    id: z.uuid(),
    type: z.literal("webhook_notice"),
    attributes: z.object({
      kind: z
        .enum(noticeKinds)
        .describe(
          "failing: no success for 1, 24 or 48 hours; deactivated: deliveries stopped; recovered: deliveries succeed again.",
        ),
      url: z.string().describe("URL of the webhook at the time of the notice."),
      reason: z.enum(["gone", "failing"]).nullable().describe("Reason of a deactivation."),
      failing_since: dateTime.nullable().describe("The first failure since the last success; null once it recovered."),
      consecutive_failures: z.number().int(),
      status_code: z
        .number()
        .int()
        .nullable()
        .describe("Status of the last attempt; null when no response was received."),
      error_class: z.string().nullable(),
      created_at: dateTime,
    }),
    relationships: z.object({ webhook: toOne("webhook") }),
  })
  .meta({ id: "WebhookNotice" });

export type WebhookNoticeResource = z.infer<typeof WebhookNoticeResource>;

export function webhookNoticeResource(notice: WebhookNotice): WebhookNoticeResource {
  return {
    id: notice.id,
    type: "webhook_notice",
    attributes: {
      kind: notice.kind,
      url: notice.url,
      reason: notice.reason,
      failing_since: notice.failingSince,
      consecutive_failures: notice.consecutiveFailures,
      status_code: notice.httpStatus,
      error_class: notice.errorClass,
      created_at: notice.createdAt,
    },
    relationships: { webhook: linkage("webhook", notice.webhookId) },
  };
}
