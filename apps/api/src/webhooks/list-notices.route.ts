import type { WebhookNotice } from "@svc/domain/webhooks";
import { pageSchema } from "@svc/jsonapi/documents";
import { WebhookNoticeResource, webhookNoticeResource } from "@svc/jsonapi/webhooks";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const params = { id: { of: "webhook", kind: "uuid", description: "The webhook's id." } } as const;

export const listNoticesRoute = defineRoute({
  method: "get",
  path: "/webhooks/{id}/notices",
  operationId: "listNoticesOfWebhook",
  summary: "List notices of a webhook",
  description:
    "Lists warnings while the endpoint fails, its deactivation, and its recovery. Other webhooks get them as `webhook.failing`, `webhook.deactivated` and `webhook.recovered` if subscribed to those.",
  tag: "Webhooks",
  scope: "read",
  request: { params, query: { type: "webhook_notice", list: { sortKeys: { created_at: "instant" } } } },
  responses: { 200: { description: "A page of notices, newest first.", schema: pageSchema(WebhookNoticeResource) } },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const page = await services.webhookNotices.list(caller.accountId, id, query.page);
    if (page.total === 0) requireFound("webhook", id, await services.webhooks.find(caller.accountId, id));
    return listReply<WebhookNotice>(exchange, {
      path: `/webhooks/${id}/notices`,
      page,
      resource: webhookNoticeResource,
      sortValues: { created_at: (notice) => notice.createdAt },
    });
  },
});
