import { instant } from "@svc/domain";
import { TrackingError } from "@svc/jsonapi";
import { pageSchema } from "@svc/jsonapi/documents";
import { FeedNotificationResource, feedNotificationResource } from "@svc/jsonapi/notifications";
import { RecoverResult, recoverBody } from "@svc/jsonapi/webhooks";
import type { FeedNotification } from "@svc/persistence/notifications";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const tag = "Webhooks";
const params = { id: { of: "webhook", kind: "uuid", description: "The webhook's id." } } as const;

/** docs/contract/decisions.md 3, Missed-event polling. */
const listWebhookNotifications = defineRoute({
  method: "get",
  path: "/webhooks/{id}/notifications",
  operationId: "listNotificationsOfWebhook",
  summary: "List notifications of a webhook in delivery order",
  description:
    "Lists all notifications of the webhook with their bodies, in the order of delivery, so that a consumer without a public endpoint can " +
    "poll them: keep `meta.page.end_cursor` and send it as `page[after]` of the next request.",
  tag,
  scope: "read",
  request: {
    params,
    query: { type: "webhook_notification", list: { sortKeys: { delivery_order: "position" }, oldestFirst: true } },
  },
  responses: {
    200: { description: "A page of notifications, the oldest first.", schema: pageSchema(FeedNotificationResource) },
  },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const page = await services.notificationFeed.list(caller.accountId, id, query.page);
    if (page.total === 0) requireFound("webhook", id, await services.webhooks.find(caller.accountId, id));
    return listReply<FeedNotification>(exchange, {
      path: `/webhooks/${id}/notifications`,
      page,
      resource: feedNotificationResource,
      sortValues: { delivery_order: (notification) => notification.position },
    });
  },
});

/** docs/contract/decisions.md 3, Redeliver. */
const recover = defineRoute({
  method: "post",
  path: "/webhooks/{id}/recover",
  operationId: "recoverWebhook",
  summary: "Recover missed notifications",
  description:
    "Redelivers the notifications that failed, or all, including those that wait for a retry. Each keeps its id, so that a " +
    "receiver recognises a duplicate, and its retry schedule starts from the beginning. Attempts in flight are not repeated.",
  tag,
  scope: "write",
  action: "manage_webhooks",
  plainJson: true,
  request: { params, query: {}, body: { plain: recoverBody } },
  responses: { 202: { description: "The number of notifications that are due now.", schema: RecoverResult } },
  async handle({ services, caller, params, body }) {
    const { id } = params;
    const since = instant(body.since);
    const until = body.until === undefined ? null : instant(body.until);
    if (until !== null && until < since) {
      throw TrackingError.of("invalid", "until must not be before since.", { source: { pointer: "/until" } });
    }
    const only = body.only ?? "failed";
    const recovered = await services.deliveryLog.recover(caller.accountId, id, { since, until, only });
    return { status: 202, document: { recovered: requireFound("webhook", id, recovered) } };
  },
});

export const recoveryRoutes = [listWebhookNotifications, recover];
