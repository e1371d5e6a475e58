import { attemptsMax } from "@svc/domain/webhooks";
import type { AttemptResource, WebhookDeliveryResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { developersLivePage } from "../developers/developers-layout.ts";
import { type LivePage, part } from "../pages/live-page.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { type ApiCall, sameFromApi } from "../pages/same-from-api.ts";
import { snippet } from "../pages/snippet.ts";
import { exactTimestamp, relativeTimestamp } from "../pages/timestamps.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";
import { verifyCard } from "../webhooks/verify-samples.ts";
import { nextAttempt, resendHint } from "./delivery-text.ts";
import { bodyText, headerTable, prettyJson } from "./exchange.ts";
import { isUnsent, statusBadge } from "./notification-table.ts";
import { subjectLinks } from "./subject-links.ts";

const outcomes = {
  succeeded: ["Delivered", "good"],
  failed: ["Failed", "bad"],
  unknown: ["Not known", "calm"],
} as const satisfies Record<AttemptResource["attributes"]["outcome"], readonly [string, string]>;

/** When the attempt after a failed one is due, or was due: another one may have been sent before. */
function followUp(at: string, awaitsNext: boolean): Html {
  return awaitsNext && Date.parse(at) > Date.now()
    ? html`<p>Next attempt ${relativeTimestamp(at)}.</p>`
    : html`<p>Next attempt was scheduled for ${exactTimestamp(at)}.</p>`;
}

interface AttemptPlace {
  readonly isLatest: boolean;
  /** Whether the delivery waits for the attempt that follows this one. */
  readonly awaitsNext: boolean;
}

function attemptCard({ attributes }: AttemptResource, { isLatest, awaitsNext }: AttemptPlace): Html {
  const { attempt_number: number, outcome, status_code: status, duration_ms: durationMs } = attributes;
  const nextAttemptAt = attributes.next_attempt_at;
  const [label, tone] = outcomes[outcome];
  const error = attributes.error_detail ?? attributes.error_class;
  return html`
    <li class="card">
      <details id="attempt-${number}"${isLatest && html` open`}>
        <summary>
          <strong>Attempt ${number}</strong> <span class="state ${tone}">${label}</span>
          ${status !== null && html`<code>${status}</code>`}
          ${durationMs !== null && html`<span class="muted">${durationMs} ms ·</span>`}
          <span class="muted">${exactTimestamp(attributes.started_at)}</span>
        </summary>
        ${error !== null && html`<p class="problem">${error}</p>`}
        ${outcome === "unknown" && html`<p>The sender stopped before it read the response. It will be retried.</p>`}
        ${nextAttemptAt !== null && followUp(nextAttemptAt, awaitsNext)}
        <p>Sent to <code>${attributes.url}</code></p>
        <h3>Response</h3>
        ${headerTable(attributes.response_headers)}
        ${bodyText(attributes.response_body, "No response.")}
        <h3>Request headers</h3>
        ${headerTable(attributes.request_headers)}
      </details>
    </li>`;
}

export interface NotificationPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly delivery: WebhookDeliveryResource;
  /** Newest first. */
  readonly attempts: readonly AttemptResource[];
  readonly moreAttempts: boolean;
  /** Shows the body byte for byte instead of formatted. */
  readonly isRaw: boolean;
  readonly notice: string | undefined;
}

function facts({ delivery }: NotificationPageOptions): Html {
  const { id, attributes, relationships } = delivery;
  const reference = relationships.reference_object.data?.type;
  return html`
    <dl>
      <div><dt>About</dt><dd>${subjectLinks(attributes.body) ?? html`<code>${reference}</code>`}</dd></div>
      <div><dt>Webhook</dt><dd>${
        attributes.webhook_url !== null
          ? html`<a href="/developers/webhooks/${relationships.webhook.data?.id}">${attributes.webhook_url}</a>`
          : html`<span class="muted">deleted</span>`
      }</dd></div>
      <div><dt>Created</dt><dd>${exactTimestamp(attributes.created_at)}</dd></div>
      <div><dt>Id</dt><dd><code id="notification-id">${id}</code>
        <button class="quiet" type="button" data-copies="notification-id" aria-label="Copy the id">Copy</button></dd>
      </div>
    </dl>`;
}

/** Resends this notification or all that failed since; null for a deleted webhook, or a member who may not. */
function resendActions({ caller, delivery }: NotificationPageOptions): Html | null {
  const { id, attributes, relationships } = delivery;
  const webhook = relationships.webhook.data;
  if (attributes.webhook_url === null || !webhook || !may(caller, "manage_webhooks")) return null;
  const since = encodeURIComponent(attributes.created_at);
  return html`
    <form method="post" action="/developers/notifications/${id}/redeliver">
      <p class="actions"><button>Resend</button>
        <a href="/developers/webhooks/${webhook.id}/recover?since=${since}">Resend all failed since then</a></p>
    </form>
    ${part("resend", html`<p class="muted">${resendHint(attributes)}</p>`)}`;
}

function attemptList({ attempts, moreAttempts, delivery }: NotificationPageOptions): Html {
  if (isUnsent(delivery.attributes)) {
    return html`<p class="card">None: its webhook was deleted before anything was sent.</p>`;
  }
  if (attempts.length === 0) return html`<p class="card">No attempts yet.</p>`;
  const isRetrying = delivery.attributes.state === "retrying";
  const cards = attempts.map((attempt, index) => {
    const isLatest = index === 0;
    return attemptCard(attempt, { isLatest, awaitsNext: isLatest && isRetrying });
  });
  return html`
    <ol class="attempts">${cards}</ol>
    ${moreAttempts && html`<p class="muted">Only the latest attempts are shown.</p>`}`;
}

/** The body of every attempt, formatted or raw as `?payload=` selects. */
function payload({ delivery, isRaw }: NotificationPageOptions): Html {
  const { body } = delivery.attributes;
  const address = `/developers/notifications/${delivery.id}`;
  const way = (label: string, href: string, isCurrent: boolean) =>
    html`<a href="${href}#payload"${isCurrent && html` aria-current="true"`}>${label}</a>`;
  return html`
    <section class="card" id="payload"><h2>Payload</h2>
      <p class="muted">The body of every attempt. Its delivery_status is always pending, so that all attempts are
        identical.</p>
      <nav class="chips" aria-label="Payload">
        ${way("Formatted", address, !isRaw)}${way("Raw", `${address}?payload=raw`, isRaw)}</nav>
      ${snippet({ id: "payload-text", text: isRaw ? body : prettyJson(body), of: "the payload" })}</section>`;
}

/** One notification with its delivery attempts, updated live. */
export function notificationPage(options: NotificationPageOptions): LivePage {
  const { caller, apiBaseUrl, delivery, notice } = options;
  const { id, attributes } = delivery;
  const due = nextAttempt(attributes);
  const badge = statusBadge(attributes.delivery_status, isUnsent(attributes));
  const number = (attributes.last_attempt?.attempt_number ?? 0) + 1;
  const attemptsTotal = attributes.prior_attempts + attemptsMax;
  const path = `/webhook_notifications/${id}`;
  const calls: readonly ApiCall[] = [
    { path: `/webhook_deliveries/${id}` },
    { path: `${path}/attempts` },
    { method: "POST", path: `${path}/redeliver` },
  ];
  return developersLivePage({
    title: attributes.event,
    heading: withWordBreaks(attributes.event),
    caller,
    part: "notifications",
    isOfRecord: true,
    notice,
    aside: part("state", html`<span data-say="state">${badge}</span>`),
    content: html`
      ${part("due", due && noticeBanner("neutral", html`Attempt ${number} of ${attemptsTotal}: ${due}.`))}
      <section class="card">${facts(options)}${resendActions(options)}</section>
      <h2>Attempts</h2>
      ${part("attempts", attemptList(options))}
      ${payload(options)}
      ${verifyCard()}
      ${sameFromApi(apiBaseUrl, calls)}`,
  });
}
