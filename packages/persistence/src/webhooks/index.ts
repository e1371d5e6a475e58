export { removeDeletedWebhooks } from "./deleted-webhooks.ts";
export { type LastFailure, readLastFailures } from "./last-failures.ts";
export { openHeaders, type StoredHeaders, sealPlainHeaders } from "./sealed-headers.ts";
export { createWebhookNotices, type DescribeNotice, type WebhookNotices } from "./webhook-notices.ts";
export {
  createWebhookRepository,
  previousSecretsMax,
  type WebhookEdit,
  type WebhookRepository,
} from "./webhook-repository.ts";
