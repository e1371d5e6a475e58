import { type DeliveryStatus, deliveryStatuses } from "@svc/domain/notifications";
import type { ListDocument, WebhookDeliveryResource, WebhookResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { option } from "../forms/choices.ts";
import { pageLinks } from "../pages/page-links.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import {
  apiPathOf,
  eventNames,
  type NotificationFilter,
  notificationsAddress,
  sinceLabels,
} from "./notification-filter.ts";
import { notificationTable, statusLabel } from "./notification-table.ts";

/** A GET form that filters the list by webhook, event and time of creation. */
function narrowForm(
  { status, webhookId, event, since }: NotificationFilter,
  webhooks: readonly WebhookResource[],
): Html {
  const isOpen = webhookId !== null || event !== null || since !== null;
  const isDeleted = webhookId !== null && webhooks.every(({ id }) => id !== webhookId);
  return html`
    <form action="/developers/notifications">
      <details class="filters"${isOpen && html` open`}>
        <summary>Filter</summary>
        ${status !== null && html`<input type="hidden" name="status" value="${status}">`}
        <div class="fields">
          <p><label for="webhook">Webhook</label><select id="webhook" name="webhook">
            <option value="">Any</option>
            ${webhooks.map(({ id, attributes }) => option(id, attributes.url, webhookId))}
            ${isDeleted && option(webhookId, "Deleted webhook", webhookId)}</select></p>
          <p><label for="event">Event</label><select id="event" name="event">
            <option value="">Any</option>${eventNames.map((name) => option(name, name, event))}</select></p>
          <p><label for="since">Created</label><select id="since" name="since">
            <option value="">All time</option>
            ${Object.entries(sinceLabels).map(([value, label]) => option(value, label, since))}</select></p>
          <p><button class="quiet">Apply</button></p>
        </div>
      </details>
    </form>`;
}

export function notificationListPage(options: {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly filter: NotificationFilter;
  /** The webhooks to choose from, with that of the filter unless it was deleted. */
  readonly webhooks: readonly WebhookResource[];
  readonly number: number;
  readonly page: ListDocument<WebhookDeliveryResource>;
}): Html {
  const { caller, apiBaseUrl, filter, webhooks, number, page } = options;
  const webhook = webhooks.find(({ id }) => id === filter.webhookId);
  const link = (status: DeliveryStatus | null) => {
    const mark = status === filter.status && html` aria-current="true"`;
    const label = status === null ? "All" : statusLabel(status);
    return html`<a href="${notificationsAddress({ ...filter, status })}"${mark}>${label}</a>`;
  };
  const pageAddress = (next: number) => notificationsAddress(filter, next);
  const empty = Object.values(filter).every((value) => value === null)
    ? "No notifications yet"
    : "No notifications match";
  return developersLayout({
    title: "Notifications",
    caller,
    part: "notifications",
    content: html`
      ${
        filter.webhookId !== null &&
        html`<p>Of the webhook ${
          webhook
            ? html`<a href="/developers/webhooks/${webhook.id}">${webhook.attributes.url}</a>`
            : html`<code>${filter.webhookId}</code>`
        } · <a href="${notificationsAddress({ ...filter, webhookId: null })}">Show notifications of all webhooks</a></p>`
      }
      <div class="chip-bar">
        <nav class="chips" aria-label="Status">${link(null)}${deliveryStatuses.map(link)}</nav>
        ${narrowForm(filter, webhooks)}
      </div>
      ${
        page.data.length > 0
          ? notificationTable(page.data, { withWebhook: filter.webhookId === null })
          : html`<section class="card empty"><h2>${empty}</h2>
              <p>Each event creates one notification per subscribed webhook.</p></section>`
      }
      ${pageLinks({ number, hasMore: Boolean(page.links?.next), addressOf: pageAddress })}
      ${sameFromApi(apiBaseUrl, [{ path: apiPathOf(filter) }])}`,
  });
}
