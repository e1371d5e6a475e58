import type { Attempt } from "@svc/domain/notifications";
import { notFound, TrackingError } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  AttemptResource,
  attemptResource,
  NotificationResource,
  notificationResource,
} from "@svc/jsonapi/notifications";
import { defineRoute } from "../http/define-route.ts";
import { listReply, recordDocument } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const tag = "Webhook notifications";
const params = { id: { of: "webhook notification", kind: "uuid", description: "The notification's id." } } as const;

const listAttempts = defineRoute({
  method: "get",
  path: "/webhook_notifications/{id}/attempts",
  operationId: "listWebhookNotificationAttempts",
  summary: "List delivery attempts of a notification",
  description: "Lists the requests that were made to deliver the notification, with their responses, the latest first.",
  tag,
  scope: "read",
  request: {
    params,
    query: { type: "webhook_notification_attempt", list: { sortKeys: { attempt_number: "integer" } } },
  },
  responses: { 200: { description: "A page of attempts, the latest first.", schema: pageSchema(AttemptResource) } },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const page = await services.deliveryLog.listAttempts(caller.accountId, id, query.page);
    if (page.total === 0)
      requireFound("webhook notification", id, await services.notifications.find(caller.accountId, id));
    return listReply<Attempt>(exchange, {
      path: `/webhook_notifications/${id}/attempts`,
      page,
      resource: attemptResource,
      sortValues: { attempt_number: (attempt) => String(attempt.attemptNumber) },
    });
  },
});

const redeliver = defineRoute({
  method: "post",
  path: "/webhook_notifications/{id}/redeliver",
  operationId: "redeliverWebhookNotification",
  summary: "Redeliver a notification",
  description:
    "Sends the same body with the same id, so that a receiver recognises the duplicate. The retry schedule starts " +
    "from the beginning. When an attempt is in flight and fails, the next one follows immediately.",
  tag,
  scope: "write",
  action: "manage_webhooks",
  request: { params, query: { type: "webhook_notification" } },
  responses: {
    202: { description: "The notification, which is due now.", schema: documentSchema(NotificationResource) },
  },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const { id } = params;
    const hasReceiver = await services.deliveryLog.redeliver(caller.accountId, id);
    if (hasReceiver === false) {
      throw TrackingError.of("conflict", "The webhook of the notification was deleted, so it cannot be delivered.");
    }
    const notification = hasReceiver && (await services.notifications.find(caller.accountId, id));
    if (!notification) throw notFound("webhook notification", id);
    const document = await recordDocument(exchange, notificationResource(notification, services.settings.baseUrl));
    return { status: 202, document };
  },
});

export const deliveryAttemptRoutes = [listAttempts, redeliver];
