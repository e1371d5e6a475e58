import { instant, type Notification, notFound } from "@svc/domain";
import { NotificationResource, notificationResource, pageOf, recoverBody } from "@svc/jsonapi";
import { z } from "zod";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";

const tag = "Webhooks";
const params = { id: { of: "webhook", kind: "uuid", description: "The webhook's id." } } as const;

/** contract-decisions.md 3, Missed-event polling. */
const listOfWebhook = defineRoute({
  method: "get",
  path: "/webhooks/{id}/notifications",
  operationId: "listNotificationsOfWebhook",
  summary: "Read on in the notifications of a webhook",
  description:
    "In the order in which they were made, so that a consumer without a public endpoint can catch up: ask again with `page[after]` = `meta.page.end_cursor`. A notification appears a few seconds after it was made.",
  tag,
  scope: "read",
  request: {
    params,
    query: { type: "webhook_notification", list: { sortKeys: { created_at: "uuid" }, oldestFirst: true } },
  },
  responses: {
    200: { description: "A page of notifications, the oldest first.", schema: pageOf(NotificationResource) },
  },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const id = params.id ?? "";
    const filters = { webhook: [id], settledFor: "3 seconds" };
    const page = await services.notifications.list(caller.accountId, filters, query.page);
    if (page.total === 0 && !(await services.webhooks.find(caller.accountId, id))) throw notFound("webhook", id);
    return listReply<Notification>(exchange, {
      path: `/webhooks/${id}/notifications`,
      page,
      resource: notificationResource,
      sortValues: { created_at: (notification) => notification.id },
    });
  },
});

/** contract-decisions.md 3, Redeliver. */
const recover = defineRoute({
  method: "post",
  path: "/webhooks/{id}/recover",
  operationId: "recoverWebhook",
  summary: "Deliver the notifications of a time again",
  description: "Those that failed, or all. Each keeps its id, so that a receiver which has it can tell.",
  tag,
  scope: "write",
  plainJson: true,
  request: { params, query: {}, body: { plain: recoverBody } },
  responses: {
    202: {
      description: "How many are due now.",
      schema: z.object({ recovered: z.number().int() }).meta({ id: "RecoverResult" }),
    },
  },
  async handle({ services, caller, params, body }) {
    const id = params.id ?? "";
    if (!(await services.webhooks.find(caller.accountId, id))) throw notFound("webhook", id);
    const recovered = await services.deliveryLog.recover(caller.accountId, id, {
      since: instant(body.since),
      until: body.until === undefined ? null : instant(body.until),
      only: body.only ?? "failed",
    });
    return { status: 202, document: { recovered } };
  },
});

export const catchUpRoutes = [listOfWebhook, recover];
