import { type DeliveryStatus, deliveryStatuses } from "@svc/domain/notifications";
import type {
  EventCategoryResource,
  WebhookDeliveryResource,
  WebhookNoticeResource,
  WebhookPerformanceResource,
  WebhookResource,
} from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import type { Problems } from "../forms/field.ts";
import { notificationsAddress } from "../notifications/notification-filter.ts";
import { notificationTable, statusLabel } from "../notifications/notification-table.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { exactTimestamp } from "../pages/timestamps.ts";
import { deliveryCharts, type PerformancePeriod } from "./delivery-charts.ts";
import { type RecoverForm, recoverForm } from "./recover-form.ts";
import { verifyCard } from "./verify-samples.ts";
import { isTroubled, reasonText, stateBadge, stateNote } from "./webhook-text.ts";

export interface WebhookPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly webhook: WebhookResource;
  readonly notices: readonly WebhookNoticeResource[];
  /** Deliveries of its latest notifications. */
  readonly deliveries: readonly WebhookDeliveryResource[];
  readonly categories: readonly EventCategoryResource[];
  readonly performance: WebhookPerformanceResource;
  readonly period: PerformancePeriod;
  readonly notice?: string | undefined;
  /** Submitted values of the form to recover missed notifications. */
  readonly recover?: RecoverForm;
  readonly problems?: Problems;
}

/** A button that sets one attribute. */
function setter(id: string, name: string, value: string, label: string): Html {
  const className = value === "true" && name === "active" ? "" : "quiet";
  return html`
    <form method="post" action="/developers/webhooks/${id}/state">
      <button class="${className}" name="${name}" value="${value}">${label}</button>
    </form>`;
}

function actions({ id, attributes: { active, paused, deactivated_at } }: WebhookResource): Html {
  const path = `/developers/webhooks/${id}`;
  return html`
    <div class="actions">
      ${!active && setter(id, "active", "true", deactivated_at === null ? "Enable" : "Reactivate")}
      ${active && setter(id, "paused", String(!paused), paused ? "Resume" : "Pause")}
      ${active && setter(id, "active", "false", "Disable")}
      <a href="${path}/edit">Edit</a>
      <a href="${path}/rotate">Rotate secret</a>
      <a class="danger" href="${path}/delete">Delete</a>
    </div>`;
}

function facts({ id, attributes }: WebhookResource, isManager: boolean): Html {
  const { events, headers, rate_limit: rateLimit, created_at: createdAt } = attributes;
  return html`
    <section class="card">
      <h2>Settings</h2>
      <dl>
        <div><dt>Events</dt><dd>${events.map((event) => html`<code>${event}</code> `)}</dd></div>
        <div><dt>Deliveries per second</dt><dd>${rateLimit ?? "No limit"}</dd></div>
        <div><dt>Headers</dt><dd>${
          headers.length === 0 ? "none" : headers.map(({ name }) => html`<code>${name}: ••••</code> `)
        }</dd></div>
        <div><dt>Secret</dt>
          <dd>shown when it was created${
            isManager && html`; <a href="/developers/webhooks/${id}/rotate">rotate it</a>`
          }</dd></div>
        <div><dt>Created</dt><dd>${exactTimestamp(createdAt)}</dd></div>
      </dl>
    </section>`;
}

const noticeText = ({ kind, reason, consecutive_failures: failures }: WebhookNoticeResource["attributes"]): string => {
  if (kind === "recovered") return "The endpoint responds successfully again.";
  if (kind === "deactivated") return `Deactivated, because ${reasonText(reason)}.`;
  return `Failing: ${failures} attempts in a row without a success.`;
};

function noticeList(notices: readonly WebhookNoticeResource[]): Html | null {
  if (notices.length === 0) return null;
  return html`
    <section class="card">
      <h2>Notices</h2>
      <ol class="notices">
        ${notices.map(
          ({ attributes }) => html`
            <li>${exactTimestamp(attributes.created_at)} ${noticeText(attributes)}
              ${
                attributes.status_code !== null &&
                html`<span class="muted">Last response: ${attributes.status_code}.</span>`
              }
            </li>`,
        )}
      </ol>
    </section>`;
}

function testForm(id: string, categories: readonly EventCategoryResource[]): Html {
  return html`
    <section class="card">
      <h2>Send a test</h2>
      <p class="muted">One sample, signed with this webhook's secret, sent at once. Tests are not logged.</p>
      <form method="post" action="/developers/webhooks/${id}/test">
        <label for="event">Event</label>
        <select id="event" name="event">
          ${categories.map(
            ({ attributes }) => html`
              <optgroup label="${attributes.name}">
                ${attributes.events.map(({ name }) => html`<option value="${name}">${name}</option>`)}
              </optgroup>`,
          )}
        </select>
        <p><button class="quiet">Send test</button></p>
      </form>
    </section>`;
}

/** Links to the list of notifications with a filter. */
const stateLink = (webhookId: string, status: DeliveryStatus): Html =>
  html`<a href="${notificationsAddress({ webhookId, status, event: null, since: null })}">${statusLabel(status)}</a>`;

const emptyRecoverForm: RecoverForm = { since: "", only: "failed" };

export function webhookPage(options: WebhookPageOptions): Html {
  const { caller, apiBaseUrl, webhook, notices, deliveries, categories, notice } = options;
  const { recover = emptyRecoverForm, problems = {} } = options;
  const { id, attributes } = webhook;
  const note = stateNote(attributes);
  const isManager = may(caller, "manage_webhooks");
  return developersLayout({
    title: attributes.url,
    caller,
    part: "webhooks",
    isOfRecord: true,
    notice,
    aside: stateBadge(attributes),
    content: html`
      ${note && noticeBanner(isTroubled(attributes) ? "error" : "neutral", note)}
      ${isManager && actions(webhook)}
      <section>
        <div class="title"><h2>Latest notifications</h2>
          <a href="/developers/notifications?webhook=${id}">All notifications of this webhook</a></div>
        <nav class="chips" aria-label="All that are">${deliveryStatuses.map((status) => stateLink(id, status))}</nav>
        ${
          deliveries.length > 0
            ? notificationTable(deliveries, { withWebhook: false })
            : html`<p class="card">No notifications yet.</p>`
        }
      </section>
      ${deliveryCharts(options.performance, { path: `/developers/webhooks/${id}`, period: options.period })}
      ${noticeList(notices)}
      ${facts(webhook, isManager)}
      ${
        isManager &&
        html`<div class="columns even">${testForm(id, categories)}${recoverForm(id, recover, problems)}</div>`
      }
      ${verifyCard()}
      ${sameFromApi(apiBaseUrl, [
        { path: `/webhooks/${id}` },
        { path: `/webhook_performance${apiQuery({ "filter[webhook]": id })}` },
        { path: `/webhook_deliveries${apiQuery({ "filter[webhook]": id })}` },
        {
          method: "PATCH",
          path: `/webhooks/${id}`,
          body: { data: { type: "webhook", id, attributes: { active: true } } },
        },
      ])}`,
  });
}
