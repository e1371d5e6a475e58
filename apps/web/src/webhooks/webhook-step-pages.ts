import type { TriggerResult, WebhookResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { formProblem, type Problems } from "../forms/field.ts";
import { bodyText, headerTable } from "../notifications/exchange.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { questionCard } from "../pages/question-card.ts";
import { secretOnce } from "../pages/secret-once.ts";
import { verifyCard } from "./verify-samples.ts";
import { recordOf } from "./webhook-text.ts";

const path = "/developers/webhooks";

/** The response to the form itself: a page with its own address would show the secret on every visit. */
export function webhookSecretPage(caller: Caller, webhook: WebhookResource, reason: "created" | "rotated"): Html {
  const { id, attributes } = webhook;
  return developersLayout({
    title: "Secret of the webhook",
    caller,
    part: "webhooks",
    isOfRecord: true,
    record: recordOf(webhook),
    heading: attributes.url,
    content: html`
      ${secretOnce({
        label: reason === "created" ? "Webhook secret" : "New webhook secret",
        value: attributes.secret ?? "",
        note: "Your receiver verifies signatures with it.",
      })}
      ${
        reason === "rotated" &&
        html`<p>For 24 hours the old secret signs too, so that you can change your receiver
        without losing anything.</p>`
      }
      ${verifyCard()}
      <p><a class="button" href="${path}/${id}">I have copied it</a></p>`,
  });
}

function question(options: {
  readonly caller: Caller;
  readonly webhook: WebhookResource;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly key?: string;
  readonly button: string;
  readonly isHarmless?: boolean;
  readonly problems: Problems;
}): Html {
  const { caller, webhook, title, text, action, key, button, isHarmless = false, problems } = options;
  return developersLayout({
    title,
    caller,
    part: "webhooks",
    isOfRecord: true,
    record: recordOf(webhook),
    heading: null,
    content: questionCard({
      heading: title,
      content: html`
        ${formProblem(problems)}
        <p><strong>${webhook.attributes.url}</strong></p>
        <p>${text}</p>`,
      action: `${path}/${webhook.id}/${action}`,
      fields: key !== undefined && html`<input type="hidden" name="key" value="${key}">`,
      button,
      cancelPath: `${path}/${webhook.id}`,
      isHarmless,
    }),
  });
}

export const rotateSecretPage = (
  caller: Caller,
  webhook: WebhookResource,
  key: string,
  problems: Problems = {},
): Html =>
  question({
    caller,
    webhook,
    key,
    problems,
    title: "Rotate secret?",
    text: "The new secret is shown once. For 24 hours every delivery is signed with the old and the new secret, so that your receiver can change over.",
    action: "rotate",
    button: "Rotate secret",
    isHarmless: true,
  });

export const deleteWebhookPage = (caller: Caller, webhook: WebhookResource): Html =>
  question({
    caller,
    webhook,
    problems: {},
    title: "Delete this webhook?",
    text: "Deliveries stop, including pending retries. Past notifications stay readable. This cannot be undone.",
    action: "delete",
    button: "Delete webhook",
  });

/** The request and the response of a sample event. */
export function testResultPage(caller: Caller, webhook: WebhookResource, event: string, result: TriggerResult): Html {
  return developersLayout({
    title: "Test",
    caller,
    part: "webhooks",
    isOfRecord: true,
    record: recordOf(webhook),
    heading: `Test of ${webhook.attributes.url}`,
    content: html`
      ${noticeBanner(
        result.succeeded ? "success" : "error",
        html`<strong>${result.succeeded ? "Delivered" : "Not delivered"}</strong>
          <code>${event}</code>${result.status_code !== null && html`, answered with ${result.status_code}`}.
          ${result.error !== null && html`<br>${result.error}`}`,
      )}
      <p class="actions">
        <a class="button" href="${path}/${webhook.id}">Back to the webhook</a>
      </p>
      <section class="card"><h2>Response</h2>
        ${headerTable(result.response_headers)}${bodyText(result.response_body, "No response.")}</section>
      <section class="card"><h2>Request</h2>
        ${headerTable(result.request_headers)}${bodyText(result.request_body, "")}</section>`,
  });
}
