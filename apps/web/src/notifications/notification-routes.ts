import { instant } from "@svc/domain";
import { notFound } from "@svc/jsonapi";
import { notificationEnvelope } from "@svc/jsonapi/notifications";
import type { Database } from "@svc/persistence";
import { NotFoundError, type NotificationResource, type WebhookResource } from "@svc/sdk";
import type { Request } from "express";
import type { DashboardRoutes, SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { queryText } from "../http/query-text.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import { createDetailsReader } from "./notification-details.ts";
import { apiFilterOf, readNotificationFilter } from "./notification-filter.ts";
import { notificationListPage } from "./notification-list-page.ts";
import { notificationPage } from "./notification-page.ts";

const path = "/developers/notifications";
const pageSize = 30;
const attemptsShown = 50;

/** Null for a webhook that was deleted or belongs to another account. */
async function findWebhook({ api }: SignedInCaller, id: string | null): Promise<WebhookResource | null> {
  if (id === null) return null;
  try {
    return (await api.webhooks.get(id)).data;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

export function addNotificationRoutes(
  routes: DashboardRoutes,
  { database, apiBaseUrl }: { readonly database: Database; readonly apiBaseUrl: string },
): void {
  const readDetails = createDetailsReader(database);

  /** The body of a delivery, byte for byte. */
  const bodyOf = ({ id, attributes, relationships }: NotificationResource, included: string): string => {
    const { webhook, reference_object: reference } = relationships;
    if (!webhook.data || !reference.data) return "";
    return notificationEnvelope({
      id,
      event: attributes.event,
      createdAt: instant(attributes.created_at),
      webhookId: webhook.data.id,
      referenceType: reference.data.type,
      referenceId: reference.data.id,
      included,
    });
  };

  routes.page(path, async (request, response, caller) => {
    const filter = readNotificationFilter(request);
    const number = readPageNumber(queryText(request, "page"));
    const [page, webhook] = await Promise.all([
      caller.api.notifications.list({ page: number, pageSize, filter: apiFilterOf(filter) }),
      findWebhook(caller, filter.webhookId),
    ]);
    const details = await readDetails(caller.accountId, page.data);
    sendPage(response, 200, notificationListPage({ caller, apiBaseUrl, filter, webhook, number, page, details }));
  });

  const idOf = (request: Request): string => String(request.params.id);

  routes.page(`${path}/:id`, async (request, response, caller) => {
    const id = idOf(request);
    const [{ data: notification }, attempts] = await Promise.all([
      caller.api.notifications.get(id),
      caller.api.notifications.attempts(id, { pageSize: attemptsShown }),
    ]);
    const [webhook, details] = await Promise.all([
      findWebhook(caller, notification.relationships.webhook.data?.id ?? null),
      readDetails(caller.accountId, [notification]),
    ]);
    const [delivery] = details.deliveries;
    if (!delivery) throw notFound("notification", id);
    const included = details.included.get(notification.id) ?? "[]";
    const page = notificationPage({
      caller,
      apiBaseUrl,
      notification,
      webhook,
      attempts: attempts.data,
      moreAttempts: Boolean(attempts.links?.next),
      body: bodyOf(notification, included),
      isRaw: queryText(request, "payload") === "raw",
      included,
      delivery,
      notice:
        queryText(request, "done") === "sent" ? "It is being delivered now. The attempt appears below." : undefined,
    });
    sendLivePage(request, response, page);
  });

  routes.form(`${path}/:id/redeliver`, async (request, response, caller) => {
    const id = idOf(request);
    await caller.api.notifications.redeliver(id);
    response.redirect(303, `${path}/${id}?done=sent`);
  });
}
