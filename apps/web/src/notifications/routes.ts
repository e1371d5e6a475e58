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

export function notificationRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  const list: PageHandler = async (request, response, caller) => {
    const filter = readNotificationFilter(request);
    const number = readPageNumber(queryText(request, "page"));
    const [page, webhook] = await Promise.all([
      caller.api.notifications.deliveries({ page: number, pageSize, filter: apiFilterOf(filter) }),
      filter.webhookId === null ? null : nullIfNotFound(caller.api.webhooks.get(filter.webhookId)),
    ]);
    sendPage(
      response,
      200,
      notificationListPage({ caller, apiBaseUrl, filter, webhook: webhook?.data ?? null, number, page }),
    );
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
