import { deliveryStatuses, type Notification } from "@svc/domain/notifications";
import { webhookEventNames } from "@svc/domain/webhooks";
import type { AnyResource } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { NotificationResource, notificationResource } from "@svc/jsonapi/notifications";
import { enumList, ids, type QueryDefinition, timestamp } from "@svc/jsonapi/query";
import { defineRoute, type Exchange } from "../http/define-route.ts";
import { listReply, recordDocument } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const tag = "Webhook notifications";
const params = { id: { of: "webhook notification", kind: "uuid", description: "The notification's id." } } as const;

const oneQuery = {
  type: "webhook_notification",
  extraInclude: ["reference_object"],
} as const satisfies QueryDefinition;

/** A list of notifications or of their deliveries. */
export const notificationList = {
  list: { sortKeys: { created_at: "uuid" } },
  parameters: {
    deliveryStatus: enumList("filter[delivery_status]", "Delivery status.", deliveryStatuses),
    event: enumList("filter[event]", "Name of the event.", webhookEventNames),
    webhook: ids("filter[webhook]", "Id of the webhook."),
    createdAfter: timestamp("filter[created_after]", "Created after this time."),
  },
} as const satisfies QueryDefinition;

const listQuery = { ...oneQuery, ...notificationList } as const satisfies QueryDefinition;

/**
 * The records that the notifications refer to, as they were when the notifications were created: a later state would
 * contradict the delivered one. Each comes once, as the newest notification has it.
 */
async function referenceObjects(
  { services, caller, query }: Pick<Exchange<QueryDefinition, undefined>, "services" | "caller" | "query">,
  notifications: readonly Notification[],
): Promise<readonly AnyResource[]> {
  if (!query.include?.some(([name]) => name === "reference_object") || notifications.length === 0) return [];
  const ids = notifications.map(({ id }) => id);
  const texts = await services.notifications.included(caller.accountId, ids);
  const found = new Map<string, AnyResource>();
  for (const { id, referenceType, referenceId } of notifications) {
    const key = `${referenceType} ${referenceId}`;
    const included = JSON.parse(texts.get(id) ?? "[]") as readonly AnyResource[];
    const resource = included.find((one) => one.type === referenceType && one.id === referenceId);
    if (resource && !found.has(key)) found.set(key, resource);
  }
  return [...found.values()];
}

const listNotifications = defineRoute({
  method: "get",
  path: "/webhook_notifications",
  operationId: "listWebhookNotifications",
  summary: "List webhook notifications",
  description:
    "Lists the account's notifications with their bodies, newest first. For the state of their delivery, use `GET " +
    "/webhook_deliveries`.",
  tag,
  scope: "read",
  request: { query: listQuery },
  responses: {
    200: { description: "A page of notifications, newest first.", schema: pageSchema(NotificationResource) },
  },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const page = await services.notifications.list(caller.accountId, query.parameters, query.page);
    return listReply<Notification>(exchange, {
      path: "/webhook_notifications",
      page,
      more: await referenceObjects(exchange, page.items),
      resource: notificationResource,
      sortValues: { created_at: (notification) => notification.id },
    });
  },
});

const getNotification = defineRoute({
  method: "get",
  path: "/webhook_notifications/{id}",
  operationId: "getWebhookNotification",
  summary: "Get a webhook notification",
  description: "Returns the notification with this id and its body. The records that it refers to are in `included`.",
  tag,
  scope: "read",
  request: { params, query: oneQuery },
  responses: { 200: { description: "The notification.", schema: documentSchema(NotificationResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const { id } = params;
    const notification = requireFound(
      "webhook notification",
      id,
      await services.notifications.find(caller.accountId, id),
    );
    return {
      status: 200,
      document: await recordDocument(exchange, notificationResource(notification, services.settings.baseUrl), {
        more: await referenceObjects(exchange, [notification]),
      }),
    };
  },
});

export const notificationRoutes = [listNotifications, getNotification];
