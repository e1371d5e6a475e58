import type { SignedMessage, WebhookSigner } from "./webhook-signature.ts";

const userAgent = "SVC-Webhooks/1.0";

/** The service's own headers of a webhook request, real or sample. */
export function webhookHeaders(sign: WebhookSigner, message: SignedMessage): Record<string, string> {
  return { "content-type": "application/json", "user-agent": userAgent, ...sign(message) };
}
