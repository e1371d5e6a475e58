import { TrackingError } from "@svc/jsonapi";
import { documentSchema } from "@svc/jsonapi/documents";
import { WebhookResource, webhookResource } from "@svc/jsonapi/webhooks";
import { previousSecretsMax } from "@svc/persistence/webhooks";
import { defineRoute } from "../http/define-route.ts";
import { checkVersion } from "../http/preconditions.ts";
import { recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import { generateWebhookSecret } from "./generate-webhook-secret.ts";

/** docs/contract/decisions.md 3, Secret rotation. */
export const rotateSecretRoute = defineRoute({
  method: "post",
  path: "/webhooks/{id}/rotate_secret",
  operationId: "rotateWebhookSecret",
  summary: "Rotate the secret of a webhook",
  description:
    "Generates a new signing secret. The old one also signs for 24 hours, so that receivers can change over.",
  tag: "Webhooks",
  scope: "write",
  action: "manage_webhooks",
  request: {
    params: { id: { of: "webhook", kind: "uuid", description: "The webhook's id." } },
    query: { type: "webhook" },
    conditional: true,
  },
  responses: { 200: { description: "The webhook with its new secret.", schema: documentSchema(WebhookResource) } },
  async handle(exchange) {
    const { services, caller, params, ifVersions } = exchange;
    const { id } = params;
    const options = { now: services.clock.now(), ifVersions };
    const webhook = await services.webhooks.rotateSecret(caller.accountId, id, generateWebhookSecret(), options);
    if (!webhook) {
      const present = requireFound("webhook", id, await services.webhooks.find(caller.accountId, id));
      checkVersion(ifVersions, present);
      const detail = `${previousSecretsMax} old secrets still sign, each for 24 hours. Rotate again when the first of them has ended.`;
      throw TrackingError.of("conflict", detail);
    }
    return recordReply(exchange, webhook, (record, baseUrl) =>
      webhookResource(record, baseUrl, { showsSecrets: true }),
    );
  },
});
