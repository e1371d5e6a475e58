export { removeDeletedWebhooks } from "./deleted-webhooks.ts";
export { readLastFailures } from "./last-failures.ts";
export { openHeaders, sealPlainHeaders } from "./sealed-headers.ts";
export { createWebhookNotices } from "./webhook-notices.ts";
export { createWebhookRepository, previousSecretsMax, type WebhookRepository } from "./webhook-repository.ts";
