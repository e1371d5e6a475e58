import type { WebhookResource } from "@svc/sdk";
import type { SignedInCaller } from "../access/api-clients.ts";
import { get, post, type Route } from "../http/define-route.ts";
import { nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { pathId, queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { Services } from "../services.ts";
import { apiFilterOf, readNotificationFilter } from "./notification-filter.ts";
import { notificationListPage } from "./notification-list-page.ts";
import { notificationPage } from "./notification-page.ts";

const path = "/developers/notifications";
const pageSize = 30;
const attemptsMax = 50;

/** As many as one can choose from. The page of any other webhook leads to its notifications. */
const webhookChoices = 100;

/** The webhooks to choose from, with the chosen one unless it was deleted. */
async function readWebhooks({ api }: SignedInCaller, chosenId: string | null): Promise<readonly WebhookResource[]> {
  const { data: webhooks } = await api.webhooks.list({ pageSize: webhookChoices });
  if (chosenId === null || webhooks.some(({ id }) => id === chosenId)) return webhooks;
  const chosen = await nullIfNotFound(api.webhooks.get(chosenId));
  return chosen === null ? webhooks : [chosen.data, ...webhooks];
}

export function notificationRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  const list: PageHandler = async (request, response, caller) => {
    const filter = readNotificationFilter(request);
    const number = readPageNumber(queryText(request, "page"));
    const [page, webhooks] = await Promise.all([
      caller.api.notifications.deliveries({ page: number, pageSize, filter: apiFilterOf(filter) }),
      readWebhooks(caller, filter.webhookId),
    ]);
    sendPage(response, 200, notificationListPage({ caller, apiBaseUrl, filter, webhooks, number, page }));
  };

  const show: PageHandler = async (request, response, caller) => {
    const id = pathId(request);
    const [{ data: delivery }, attempts] = await Promise.all([
      caller.api.notifications.delivery(id),
      caller.api.notifications.attempts(id, { pageSize: attemptsMax }),
    ]);
    const page = notificationPage({
      caller,
      apiBaseUrl,
      delivery,
      attempts: attempts.data,
      moreAttempts: Boolean(attempts.links?.next),
      isRaw: queryText(request, "payload") === "raw",
      notice:
        queryText(request, "done") === "sent" ? "It is being delivered now. The attempt appears below." : undefined,
    });
    sendLivePage(request, response, page);
  };

  const redeliver: FormHandler = async (request, response, caller) => {
    const id = pathId(request);
    await caller.api.notifications.redeliver(id);
    response.redirect(303, `${path}/${id}?done=sent`);
  };

  return [
    get("/developers/notifications", "read", list),
    get("/developers/notifications/:id", "read", show),
    post("/developers/notifications/:id/redeliver", "manage_webhooks", redeliver),
  ];
}
