import type { AttemptResource, NotificationResource, WebhookResource } from "@svc/sdk";
import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { type Html, html } from "../http/html.ts";
import { exactMoment, moment } from "../pages/moment.ts";
import { bodyText, headerTable } from "./exchange.ts";
import { statusBadge } from "./notification-table.ts";

const outcomes = {
  succeeded: ["Received", "good"],
  failed: ["Failed", "bad"],
  unknown: ["Not known", "calm"],
} as const satisfies Record<AttemptResource["attributes"]["outcome"], readonly [string, string]>;

function attemptCard({ attributes }: AttemptResource, isLatest: boolean): Html {
  const { attempt_number: number, outcome, status_code: status, duration_ms: durationMs } = attributes;
  const [words, tone] = outcomes[outcome];
  const error = attributes.error_detail ?? attributes.error_class;
  return html`
    <li class="card">
      <details${isLatest && html` open`}>
        <summary>
          <strong>Attempt ${number}</strong> <span class="state ${tone}">${words}</span>
          ${status !== null && html`<code>${status}</code>`}
          ${durationMs !== null && html`<span class="muted">in ${durationMs} ms</span>`}
          <span class="muted">${exactMoment(attributes.started_at)}</span>
        </summary>
        ${error !== null && html`<p class="problem">${error}</p>`}
        ${outcome === "unknown" && html`<p>The sender stopped before it saw the answer. The notification is sent again.</p>`}
        ${attributes.next_attempt_at !== null && html`<p>The next attempt followed ${moment(attributes.next_attempt_at)}.</p>`}
        <p>Sent to <code>${attributes.url}</code></p>
        <h3>Answer</h3>
        ${headerTable(attributes.response_headers)}
        ${bodyText(attributes.response_body, "No answer came.")}
        <h3>Request headers</h3>
        ${headerTable(attributes.request_headers)}
      </details>
    </li>`;
}

export function notificationPage(options: {
  readonly caller: Caller;
  readonly notification: NotificationResource;
  /** Null once it was deleted. */
  readonly webhook: WebhookResource | null;
  /** The latest first. */
  readonly attempts: readonly AttemptResource[];
  readonly moreAttempts: boolean;
  /** What every delivery posts. */
  readonly body: string;
  readonly notice: string | undefined;
}): Html {
  const { caller, notification, webhook, attempts, moreAttempts, body, notice } = options;
  const { id, attributes, relationships } = notification;
  const nextAt = attempts[0]?.attributes.next_attempt_at ?? null;
  const isRetrying = attributes.delivery_status === "pending" && nextAt !== null;
  return developersLayout({
    title: attributes.event,
    caller,
    part: "notifications",
    notice,
    content: html`
      <div class="title"><h1>${attributes.event}</h1>${statusBadge(attributes.delivery_status)}</div>
      ${isRetrying && html`<p class="notice">Attempt ${(attempts[0]?.attributes.attempt_number ?? 0) + 1} is due ${moment(nextAt)}.</p>`}
      <section class="card">
        <dl>
          <div><dt>Id</dt><dd><code>${id}</code></dd></div>
          <div><dt>Webhook</dt><dd>${
            webhook
              ? html`<a href="/developers/webhooks/${webhook.id}">${webhook.attributes.url}</a>`
              : html`<span class="muted">deleted</span>`
          }</dd></div>
          <div><dt>About</dt><dd><code>${relationships.reference_object.data?.type}</code></dd></div>
          <div><dt>Made</dt><dd>${exactMoment(attributes.created_at)}</dd></div>
        </dl>
        ${
          webhook &&
          html`
            <form method="post" action="/developers/notifications/${id}/redeliver">
              <p class="actions"><button>Send again</button>
                <span class="muted">Under the same id${isRetrying && html`, besides the attempt that is due`}.</span></p>
            </form>`
        }
      </section>
      <h2>Attempts</h2>
      ${
        attempts.length > 0
          ? html`<ol class="attempts">${attempts.map((attempt, index) => attemptCard(attempt, index === 0))}</ol>`
          : html`<p class="card">None yet.</p>`
      }
      ${moreAttempts && html`<p class="muted">Only the latest attempts are shown.</p>`}
      <section class="card"><h2>Payload</h2>
        <p class="muted">What every attempt posts. Its delivery_status is always pending, so that all are the same.</p>
        ${bodyText(body, "")}</section>`,
  });
}
