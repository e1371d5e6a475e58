import { successStatuses } from "@svc/domain/webhooks";
import { createWebhookSigner, type Exchange, responseStatus, webhookHeaders } from "@svc/egress";
import { TriggerResult, triggerBody, triggerResult } from "@svc/jsonapi/webhooks";
import { defineRoute } from "../http/define-route.ts";
import { exampleNotification } from "../notifications/example-notification.ts";
import { checkOffered } from "./check-offered.ts";
import { readWebhookTarget } from "./webhook-target.ts";

/** Null: it was received. */
function errorOf(exchange: Exchange): string | null {
  const status = responseStatus(exchange);
  if (status !== null && successStatuses.includes(status)) return null;
  return exchange.error?.message ?? `The response was ${status}; only ${successStatuses.join(", ")} mean received.`;
}

/** docs/contract/specification.md, Trigger a webhook. */
export const triggerWebhookRoute = defineRoute({
  method: "post",
  path: "/webhooks/trigger",
  operationId: "triggerWebhook",
  summary: "Send a sample notification",
  description:
    "Sends one sample without creating a webhook. Responds 200 with the result within 10 seconds, also when the " +
    "receiver failed.",
  tag: "Webhooks",
  scope: "write",
  action: "manage_webhooks",
  hasSideEffect: true,
  plainJson: true,
  request: { query: {}, body: { plain: triggerBody } },
  responses: { 200: { description: "The request that was sent and the response.", schema: TriggerResult } },
  async handle({ services, caller, body: { url: text, event, secret } }) {
    checkOffered(event, caller, { pointer: "/event" });
    const url = readWebhookTarget(text, services.settings, { pointer: "/url" });
    const { id, body } = exampleNotification(event, services);
    // Receivers compare with the time of day, not with the clock of a demo's voyages.
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const sign = createWebhookSigner(secret === undefined ? [] : [secret]);
    const headers = webhookHeaders(sign, { id, body, timestampSeconds });
    const exchange = await services.samples.post({ url, headers, body });
    const document = triggerResult({
      url,
      requestHeaders: headers,
      requestBody: body,
      error: errorOf(exchange),
      status: exchange.status,
      responseHeaders: exchange.headers,
      responseBody: exchange.body,
    });
    return { status: 200, document };
  },
});
