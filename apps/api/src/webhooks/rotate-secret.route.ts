import { notFound } from "@svc/domain";
import { documentOf, WebhookResource, webhookResource } from "@svc/jsonapi";
import { defineRoute } from "../http/define-route.ts";
import { oneResource } from "../http/replies.ts";
import { makeWebhookSecret } from "./make-webhook-secret.ts";

/** contract-decisions.md 3, Secret rotation. */
export const rotateSecretRoute = defineRoute({
  method: "post",
  path: "/webhooks/{id}/rotate_secret",
  operationId: "rotateWebhookSecret",
  summary: "Give a webhook a new secret",
  description: "The old secret signs beside the new one for 24 hours, so that receivers can change over.",
  tag: "Webhooks",
  scope: "write",
  request: {
    params: { id: { of: "webhook", kind: "uuid", description: "The webhook's id." } },
    query: { type: "webhook" },
  },
  responses: { 200: { description: "The webhook with its new secret.", schema: documentOf(WebhookResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const id = params.id ?? "";
    const now = services.clock.now();
    const webhook = await services.webhooks.rotateSecret(caller.accountId, id, makeWebhookSecret(), now);
    if (!webhook) throw notFound("webhook", id);
    const document = await oneResource(exchange, webhookResource(webhook, services.settings.baseUrl));
    return { status: 200, document, version: webhook.rowVersion };
  },
});
