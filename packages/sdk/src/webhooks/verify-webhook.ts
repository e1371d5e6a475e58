import { type SignatureCheck, verifySignature, WebhookVerificationError } from "./verify-signature.ts";
import { toWebhookEvent, type WebhookEvent } from "./webhook-event.ts";

function parsed(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/**
 * The notification of a delivery whose signature is right. Throws WebhookVerificationError, whose `reason` is why a
 * delivery is not accepted; respond to that with 401 and everything else with 200.
 */
export async function verifyWebhook(check: SignatureCheck): Promise<WebhookEvent> {
  await verifySignature(check);
  const event = toWebhookEvent(parsed(check.body));
  if (event === undefined) throw new WebhookVerificationError("malformed_body", "The body is not a notification.");
  return event;
}
