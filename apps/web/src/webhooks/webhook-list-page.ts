import type { ListDocument, WebhookResource, WebhookStatisticsResource } from "@svc/sdk";
import { type Html, html, listTable } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { endText } from "../notifications/delivery-text.ts";
import { pageLinks } from "../pages/page-links.ts";
import { type ApiCall, curlCommand, sameFromApi } from "../pages/same-from-api.ts";
import { snippet } from "../pages/snippet.ts";
import { exactTimestamp, relativeTimestamp } from "../pages/timestamps.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";
import { chartHours, deliveryBars } from "./delivery-bars.ts";
import { eventLabel, stateBadge, stateSince } from "./webhook-text.ts";

const path = "/developers/webhooks";

export interface WebhookListOptions {
  readonly apiBaseUrl: string;
  readonly number: number;
  readonly statistics: readonly WebhookStatisticsResource[];
  readonly notice: string | undefined;
}

/** The API request that creates a webhook. */
const firstWebhook: ApiCall = {
  method: "POST",
  path: "/webhooks",
  body: { data: { type: "webhook", attributes: { url: "https://…", events: ["*"] } } },
};

/** "3 minutes ago, answered 500". */
function failureText(failure: WebhookStatisticsResource["attributes"]["last_failure"] | undefined): Html {
  if (!failure) return html`<span class="muted">none</span>`;
  return html`${relativeTimestamp(failure.failed_at)}, ${endText(failure)}`;
}

function row({ id, attributes }: WebhookResource, { statistics }: WebhookListOptions): Html {
  const since = stateSince(attributes);
  const own = statistics.find((one) => one.id === id)?.attributes;
  return html`
    <tr>
      <th scope="row" data-label="Endpoint URL and events">
        <a class="row-link" href="${path}/${id}">${withWordBreaks(attributes.url)}</a>
        <span class="muted below">${withWordBreaks(eventLabel(attributes.events))}</span></th>
      <td data-label="Status">${stateBadge(attributes)}${since && html` <span class="muted">${since}</span>`}</td>
      <td data-label="Last 24 hours">${deliveryBars(id, own?.hours ?? [])}</td>
      <td data-label="Last failure">${failureText(own?.last_failure)}</td>
      <td data-label="Created">${exactTimestamp(attributes.created_at)}</td>
    </tr>`;
}

export function webhookListPage(
  caller: Caller,
  page: ListDocument<WebhookResource>,
  options: WebhookListOptions,
): Html {
  const { apiBaseUrl, number, notice } = options;
  const list = listTable({
    className: "names",
    caption: "Webhooks, the newest first",
    columns: ["Endpoint URL and events", "Status", `Last ${chartHours} hours`, "Last failure", "Created"],
    rows: page.data.map((webhook) => row(webhook, options)),
  });
  return developersLayout({
    title: "Webhooks",
    caller,
    part: "webhooks",
    notice,
    aside: may(caller, "manage_webhooks") && html`<a class="button" href="${path}/new">New webhook</a>`,
    content: html`
      ${
        page.data.length > 0
          ? list
          : html`
            <section class="card empty">
              <h2>No webhooks yet</h2>
              <p>A webhook sends shipment events to your own system in signed requests.
                Without an endpoint yet, <a href="/developers/inbox">the inbox</a> is one.</p>
              ${may(caller, "manage_webhooks") && html`<p><a class="button" href="${path}/new">Create webhook</a></p>`}
              ${snippet({ id: "first-webhook", text: curlCommand(apiBaseUrl, firstWebhook), of: "the command" })}
            </section>`
      }
      ${pageLinks({ number, hasMore: Boolean(page.links?.next), addressOf: (other) => `${path}?page=${other}` })}
      ${sameFromApi(apiBaseUrl, [{ path: "/webhooks" }, { path: "/webhook_statistics" }])}`,
  });
}
