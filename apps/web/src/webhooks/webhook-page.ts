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
import { visibleEvents } from "../events/visible-events.ts";
import type { Problems } from "../forms/field.ts";
import { notificationTable } from "../notifications/notification-table.ts";
import { moreActions } from "../pages/menu.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { exactTimestamp } from "../pages/timestamps.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";
import { deliveryCharts, type PerformancePeriod } from "./delivery-charts.ts";
import { type RecoverForm, recoverForm } from "./recover-form.ts";
import { verifyCard } from "./verify-samples.ts";
import { allTrackingEvents, isTroubled, reasonText, stateBadge, stateNote } from "./webhook-text.ts";

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
  const isPrimary = name === "active" && value === "true";
  return html`
    <form method="post" action="/developers/webhooks/${id}/state">
      <button${!isPrimary && html` class="quiet"`} name="${name}" value="${value}">${label}</button>
    </form>`;
}

/** The state and, for a member who may change it, the actions: first what is done most often. */
function headActions({ id, attributes }: WebhookResource, isManager: boolean): Html {
  const { active, paused } = attributes;
  const path = `/developers/webhooks/${id}`;
  const badge = stateBadge(attributes);
  if (!isManager) return badge;
  return html`${badge}
    <div class="actions">
      ${!active && setter(id, "active", "true", "Enable")}
      <a${active && html` class="button"`} href="#test">Send test</a>
      <a href="${path}/edit">Edit</a>
      ${active && setter(id, "paused", String(!paused), paused ? "Resume" : "Pause")}
      ${moreActions(html`
        ${active && setter(id, "active", "false", "Disable")}
        <a href="${path}/rotate">Rotate secret</a>
        <a href="#recover">Recover missed notifications</a>
        <a class="danger" href="${path}/delete">Delete</a>`)}
    </div>`;
}

function facts({ attributes }: WebhookResource): Html {
  const { events, headers, rate_limit: rateLimit, created_at: createdAt } = attributes;
  return html`
    <section class="card">
      <h2>Settings</h2>
      <dl>
        <div><dt>Events</dt><dd>${events.map((event) =>
          event === "*" ? html`${allTrackingEvents} ` : html`<code>${event}</code> `,
        )}</dd></div>
        <div><dt>Rate limit (per second)</dt><dd>${rateLimit ?? "No limit"}</dd></div>
        <div><dt>Headers</dt><dd>${
          headers.length === 0 ? "None" : headers.map(({ name }) => html`<code>${name}: ••••</code> `)
        }</dd></div>
        <div><dt>Secret</dt><dd>Shown once, when it was created or rotated</dd></div>
        <div><dt>Created</dt><dd>${exactTimestamp(createdAt)}</dd></div>
      </dl>
    </section>`;
}

const noticeText = ({ kind, reason, consecutive_failures: failures }: WebhookNoticeResource["attributes"]): string => {
  if (kind === "recovered") return "The endpoint responds successfully again.";
  if (kind === "deactivated") return `Disabled automatically, because ${reasonText(reason)}.`;
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
    <section class="card" id="test">
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

const emptyRecoverForm: RecoverForm = { since: "", only: "failed" };

export function webhookPage(options: WebhookPageOptions): Html {
  const { caller, apiBaseUrl, webhook, notices, deliveries, categories, notice } = options;
  const { recover = emptyRecoverForm, problems = {} } = options;
  const { id, attributes } = webhook;
  const note = stateNote(attributes);
  const isManager = may(caller, "manage_webhooks");
  return developersLayout({
    title: attributes.url,
    heading: withWordBreaks(attributes.url),
    caller,
    part: "webhooks",
    isOfRecord: true,
    notice,
    aside: headActions(webhook, isManager),
    content: html`
      ${note && noticeBanner(isTroubled(attributes) ? "error" : "neutral", note)}
      <section>
        <div class="title"><h2>Latest notifications</h2>
          <a href="/developers/notifications?webhook=${id}">All notifications of this webhook</a></div>
        ${
          deliveries.length > 0
            ? notificationTable(deliveries, { withWebhook: false })
            : html`<section class="card empty"><h3>No notifications yet</h3></section>`
        }
      </section>
      ${
        isManager &&
        html`<div class="columns even">${testForm(id, visibleEvents(categories, attributes.events))}${recoverForm(id, recover, problems)}</div>`
      }
      ${deliveryCharts(options.performance, { path: `/developers/webhooks/${id}`, period: options.period })}
      ${noticeList(notices)}
      ${facts(webhook)}
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
