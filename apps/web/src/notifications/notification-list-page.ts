import { type DeliveryStatus, deliveryStatuses } from "@svc/domain";
import type { ListDocument, NotificationResource, WebhookResource } from "@svc/sdk";
import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { type Html, html } from "../http/html.ts";
import { pageLinks } from "../pages/page-links.ts";
import { notificationTable, statusWords } from "./notification-table.ts";

export interface NotificationFilter {
  readonly status: DeliveryStatus | null;
  readonly webhookId: string | null;
}

function notificationsAddress({ status, webhookId }: NotificationFilter, page = 1): string {
  const query = new URLSearchParams();
  if (webhookId !== null) query.set("webhook", webhookId);
  if (status !== null) query.set("status", status);
  if (page > 1) query.set("page", String(page));
  const text = query.toString();
  return text === "" ? "/developers/notifications" : `/developers/notifications?${text}`;
}

export function notificationListPage(options: {
  readonly caller: Caller;
  readonly filter: NotificationFilter;
  /** That of the filter, unless it was deleted. */
  readonly webhook: WebhookResource | null;
  readonly number: number;
  readonly page: ListDocument<NotificationResource>;
}): Html {
  const { caller, filter, webhook, number, page } = options;
  const link = (status: DeliveryStatus | null) => {
    const mark = status === filter.status && html` aria-current="true"`;
    const words = status === null ? "All" : statusWords(status);
    return html`<a href="${notificationsAddress({ ...filter, status })}"${mark}>${words}</a>`;
  };
  const empty =
    filter.status === null && filter.webhookId === null ? "No notifications yet" : "No notification is like this";
  return developersLayout({
    title: "Notifications",
    caller,
    part: "notifications",
    content: html`
      <h1>Notifications</h1>
      ${
        filter.webhookId !== null &&
        html`<p>Of the webhook ${
          webhook
            ? html`<a href="/developers/webhooks/${webhook.id}">${webhook.attributes.url}</a>`
            : html`<code>${filter.webhookId}</code>`
        } · <a href="${notificationsAddress({ ...filter, webhookId: null })}">Show those of all webhooks</a></p>`
      }
      <nav class="chips" aria-label="State">${link(null)}${deliveryStatuses.map(link)}</nav>
      ${
        page.data.length > 0
          ? notificationTable(page.data)
          : html`<section class="card empty"><h2>${empty}</h2>
              <p>Each event makes one notification for every webhook that asked for it.</p></section>`
      }
      ${pageLinks({ number, hasMore: Boolean(page.links?.next), addressOf: (next) => notificationsAddress(filter, next) })}`,
  });
}
