export {
  createDeduplicator,
  type DeduplicatorOptions,
  type HandleOnce,
  NotificationInProgressError,
} from "./deduplicator.ts";
export { type Beginning, type HandledIds, handledIdsInMemory, type MemoryOptions } from "./handled-ids.ts";
export {
  handledIdsInPostgres,
  handledIdsInRedis,
  type PostgresOptions,
  type QueriesPostgres,
  type RedisOptions,
  type SendToRedis,
} from "./shared-handled-ids.ts";
export {
  type SignatureCheck,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from "./verify-signature.ts";
export { verifyWebhook } from "./verify-webhook.ts";
export type { WebhookEvent } from "./webhook-event.ts";
