import { type DeliveryStatus, deliveryStatuses } from "@svc/domain/notifications";
import { formatNumber, type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { apiPathOf, notificationsAddress } from "../notifications/notification-filter.ts";
import { statusLabel } from "../notifications/notification-table.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { curlCommand, sameFromApi } from "../pages/same-from-api.ts";
import { snippet } from "../pages/snippet.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";
import { deliveryCharts, type PerformancePeriod } from "../webhooks/delivery-charts.ts";
import { stateBadge } from "../webhooks/webhook-text.ts";
import { developersLayout, referenceAddress } from "./developers-layout.ts";
import type { DeliveryCounts, IntegrationHealth } from "./health.ts";

export interface PublicAddresses {
  /** Base URL with /v2. */
  readonly apiBaseUrl: string;
  readonly mcpUrl: string;
}

export interface OverviewOptions extends PublicAddresses {
  readonly caller: Caller;
  readonly tokens: { readonly total: number; readonly isAnyUsed: boolean };
  /** Null while the API is unavailable. */
  readonly health: IntegrationHealth | null;
  readonly period: PerformancePeriod;
}

/** Stacked bar of the shares. It is hidden from screen readers, which read the numbers below it. */
function shares(counts: DeliveryCounts): Html | null {
  const sum = deliveryStatuses.reduce((all, status) => all + counts[status].total, 0);
  if (sum === 0) return null;
  let x = 0;
  const bar = (status: DeliveryStatus) => {
    const width = Math.round((counts[status].total / sum) * 1_000);
    x += width;
    return html`<rect class="${status}" x="${x - width}" width="${width}" height="10"/>`;
  };
  return html`<svg class="shares" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${deliveryStatuses.map(bar)}</svg>`;
}

/** Notifications whose webhook was deleted before they were sent have failed, too. */
const countLabel = (status: DeliveryStatus): string =>
  status === "failed" ? "Failed, or webhook deleted" : statusLabel(status);

function deliveries(counts: DeliveryCounts): Html {
  const item = (status: DeliveryStatus) => {
    const { total, isExact } = counts[status];
    const address = notificationsAddress({ status, webhookId: null, event: null, since: "day" });
    return html`<div><dt>${countLabel(status)}</dt><dd><a class="figure" href="${address}">${formatNumber(total)}${!isExact && "+"}</a></dd></div>`;
  };
  return html`
    <section class="card"><h2>Notifications of the last 24 hours</h2>
      ${shares(counts)}
      <dl class="figures">${deliveryStatuses.map(item)}</dl>
    </section>`;
}

function webhookHealth({ total, troubled }: IntegrationHealth["webhooks"]): Html {
  const item = ({ id, attributes }: (typeof troubled)[number]) =>
    html`<li><a href="/developers/webhooks/${id}">${withWordBreaks(attributes.url)}</a> ${stateBadge(attributes)}</li>`;
  const message = total === 0 ? "No webhooks yet." : "No webhook is failing or disabled automatically.";
  return html`
    <section class="card"><h2>Webhooks</h2>
      ${
        troubled.length > 0
          ? html`<p>Needs attention:</p><ul class="plain">${troubled.map(item)}</ul>`
          : html`<p>${message}</p>`
      }
    </section>`;
}

/** Remaining onboarding steps; null once all are done. */
function firstSteps({ caller, tokens, health }: OverviewOptions): Html | null {
  if (!health) return null;
  const steps = [
    [tokens.total > 0, "Create API token", "/developers/tokens/new", "manage_tokens"],
    [tokens.isAnyUsed, "Call the API with it", "/developers/tokens", "read"],
    [health.isAnythingTracked, "Track a first number", "/track", "track"],
    [health.webhooks.total > 0, "Create webhook", "/developers/webhooks/new", "manage_webhooks"],
  ] as const;
  if (steps.every(([isDone]) => isDone)) return null;
  return html`
    <section class="card"><h2>First steps</h2>
      <ol class="steps">${steps.map(([isDone, label, path, action]) =>
        isDone
          ? html`<li class="done">${label} <span class="early">done</span></li>`
          : html`<li>${may(caller, action) ? html`<a href="${path}">${label}</a>` : label}</li>`,
      )}</ol>
    </section>`;
}

function firstRequest({ caller, apiBaseUrl }: OverviewOptions): Html {
  return html`
    <section class="card"><h2>First request</h2>
      ${snippet({ id: "first-request", text: curlCommand(apiBaseUrl, { path: "/shipments" }), of: "the command" })}
      <p><code>SVC_API_TOKEN</code> is an API token, which is shown once when it is created.</p>
      ${may(caller, "manage_tokens") && html`<p><a class="button" href="/developers/tokens/new">New token</a></p>`}
    </section>`;
}

function baseUrls({ apiBaseUrl, mcpUrl }: PublicAddresses): Html {
  return html`
    <section class="card"><h2>Base URLs</h2>
      <dl class="addresses">
        <div><dt>API</dt><dd>${snippet({ id: "api-url", text: apiBaseUrl, of: "the URL of the API" })}</dd></div>
        <div><dt>MCP server</dt>
          <dd>${snippet({ id: "mcp-url", text: mcpUrl, of: "the URL of the MCP server" })}</dd></div>
        <div><dt>Documentation</dt><dd><a href="${referenceAddress(apiBaseUrl)}">API reference</a>,
          <a href="${apiBaseUrl}/openapi.json">OpenAPI</a></dd></div>
      </dl>
    </section>`;
}

export function overviewPage(options: OverviewOptions): Html {
  const { caller, apiBaseUrl, health } = options;
  const hasAttempts = (health?.performance.attributes.last_attempt_at ?? null) !== null;
  return developersLayout({
    title: "Developers",
    caller,
    part: "overview",
    content: html`
      <div class="pair">${firstRequest(options)}${baseUrls(options)}</div>
      ${firstSteps(options)}
      ${
        health
          ? html`<div class="pair">${deliveries(health.lastDay)}${webhookHealth(health.webhooks)}</div>
            ${hasAttempts && deliveryCharts(health.performance, { path: "/developers", period: options.period })}`
          : noticeBanner("error", "The API is not available: the state of webhooks and notifications is unknown.")
      }
      ${sameFromApi(apiBaseUrl, [
        { path: "/webhooks" },
        { path: "/webhook_performance" },
        { path: apiPathOf({ webhookId: null, status: null, event: null, since: "day" }) },
      ])}`,
  });
}
