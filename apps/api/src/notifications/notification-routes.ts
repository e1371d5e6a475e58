import { deliveryStatuses, type Notification, notFound, webhookEventNames } from "@svc/domain";
import {
  documentOf,
  ids,
  moment,
  NotificationResource,
  notificationResource,
  oneOf,
  pageOf,
  type QueryDefinition,
} from "@svc/jsonapi";
import { defineRoute } from "../http/define-route.ts";
import { listReply, oneResource } from "../http/replies.ts";

const tag = "Webhook notifications";
const params = { id: { of: "webhook notification", kind: "uuid", description: "The notification's id." } } as const;

const listQuery = {
  type: "webhook_notification",
  list: { sortKeys: { created_at: "uuid" } },
  parameters: {
    deliveryStatus: oneOf("filter[delivery_status]", "Whether it was delivered.", deliveryStatuses),
    event: oneOf("filter[event]", "Name of the event.", webhookEventNames),
    webhook: ids("filter[webhook]", "Id of the webhook."),
    createdAfter: moment("filter[created_after]", "Created later than this."),
  },
} as const satisfies QueryDefinition;

const listNotifications = defineRoute({
  method: "get",
  path: "/webhook_notifications",
  operationId: "listWebhookNotifications",
  summary: "List webhook notifications",
  tag,
  scope: "read",
  request: { query: listQuery },
  responses: { 200: { description: "A page of notifications, newest first.", schema: pageOf(NotificationResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    return listReply<Notification>(exchange, {
      path: "/webhook_notifications",
      page: await services.notifications.list(caller.accountId, query.parameters, query.page),
      resource: notificationResource,
      sortValues: { created_at: (notification) => notification.id },
    });
  },
});

const getNotification = defineRoute({
  method: "get",
  path: "/webhook_notifications/{id}",
  operationId: "getWebhookNotification",
  summary: "Read a webhook notification",
  tag,
  scope: "read",
  request: { params, query: { type: "webhook_notification" } },
  responses: { 200: { description: "The notification.", schema: documentOf(NotificationResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const notification = await services.notifications.find(caller.accountId, params.id ?? "");
    if (!notification) throw notFound("webhook notification", params.id ?? "");
    return {
      status: 200,
      document: await oneResource(exchange, notificationResource(notification, services.settings.baseUrl)),
    };
  },
});

export const notificationRoutes = [listNotifications, getNotification];
