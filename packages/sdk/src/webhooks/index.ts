export { createDeduplicator, type HandledIds, handledIdsInMemory } from "./deduplicator.ts";
export {
  type SignatureCheck,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from "./verify-signature.ts";
export { verifyWebhook } from "./verify-webhook.ts";
export type { WebhookEvent } from "./webhook-event.ts";
