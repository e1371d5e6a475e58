import type { Notification } from "@svc/domain/notifications";
import { notFound } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { WebhookDeliveryResource, webhookDeliveryResource } from "@svc/jsonapi/notifications";
import type { QueryDefinition } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { listReply, recordDocument } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";
import { notificationList } from "./notification-routes.ts";

const tag = "Webhook notifications";
const params = { id: { of: "webhook notification", kind: "uuid", description: "The notification's id." } } as const;

/** Retention may delete a notification between the statements: it is then left out. */
async function withDeliveries(services: Services, accountId: string, notifications: readonly Notification[]) {
  if (notifications.length === 0) return [];
  const ids = notifications.map(({ id }) => id);
  const [included, details] = await Promise.all([
    services.notifications.included(accountId, ids),
    services.readDeliveryDetails(accountId, ids),
  ]);
  const detailsByNotification = new Map(details.map((one) => [one.notificationId, one]));
  return notifications.flatMap((notification) => {
    const delivery = detailsByNotification.get(notification.id);
    return delivery ? [{ ...notification, ...delivery, included: included.get(notification.id) ?? "[]" }] : [];
  });
}

type Delivery = Awaited<ReturnType<typeof withDeliveries>>[number];

const listDeliveries = defineRoute({
  method: "get",
  path: "/webhook_deliveries",
  operationId: "listWebhookDeliveries",
  summary: "List webhook deliveries",
  description:
    "Lists notifications with the state of their delivery, the last and next attempt, and the body that is sent. For " +
    "monitoring and debugging; to receive missed events, use `GET /webhooks/{id}/notifications`.",
  tag,
  scope: "read",
  request: { query: { type: "webhook_delivery", ...notificationList } as const satisfies QueryDefinition },
  responses: {
    200: { description: "A page of deliveries, newest first.", schema: pageSchema(WebhookDeliveryResource) },
  },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const page = await services.notifications.list(caller.accountId, query.parameters, query.page);
    return listReply<Delivery>(exchange, {
      path: "/webhook_deliveries",
      page: { ...page, items: await withDeliveries(services, caller.accountId, page.items) },
      resource: webhookDeliveryResource,
      sortValues: { created_at: (delivery) => delivery.id },
    });
  },
});

const getDelivery = defineRoute({
  method: "get",
  path: "/webhook_deliveries/{id}",
  operationId: "getWebhookDelivery",
  summary: "Get a webhook delivery",
  description:
    "Returns the delivery of the notification with this id. Its attempts: `GET /webhook_notifications/{id}/attempts`.",
  tag,
  scope: "read",
  request: { params, query: { type: "webhook_delivery" } },
  responses: { 200: { description: "The delivery.", schema: documentSchema(WebhookDeliveryResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const { id } = params;
    const notification = requireFound(
      "webhook notification",
      id,
      await services.notifications.find(caller.accountId, id),
    );
    const [delivery] = await withDeliveries(services, caller.accountId, [notification]);
    if (!delivery) throw notFound("webhook notification", id);
    const resource = webhookDeliveryResource(delivery, services.settings.baseUrl);
    return { status: 200, document: await recordDocument(exchange, resource) };
  },
});

export const webhookDeliveryRoutes = [listDeliveries, getDelivery];
