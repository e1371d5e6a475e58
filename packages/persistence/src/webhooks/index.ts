export { removeDeletedWebhooks } from "./deleted-webhooks.ts";
export { type LastFailure, readLastFailures } from "./last-failures.ts";
export { openHeaders, sealPlainHeaders } from "./sealed-headers.ts";
export { createWebhookNotices, type WebhookNotices } from "./webhook-notices.ts";
export { createWebhookRepository, previousSecretsMax, type WebhookRepository } from "./webhook-repository.ts";
