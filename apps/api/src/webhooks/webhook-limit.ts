import { TrackingError } from "@svc/domain";
import type { WebhookRepository } from "@svc/persistence";

/** As many as an account may have unless the operator says otherwise: each makes every event that it asks for dearer. */
export const webhooksPerAccountMax = 250;

/**
 * As many as the operator may say: fewer than the workers look at in one round, which they divide among accounts (`webhooksMax` of
 * claims), so that those of one account cannot fill it.
 */
export const webhooksPerAccountLimit = 400;

/**
 * Throws `TrackingError` `limit_reached` when the account has so many webhooks. In the transaction in which one is made: until
 * it ends no other is made for the account, so that those who make them at once never pass the limit together.
 */
export async function checkWebhookLimit(webhooks: WebhookRepository, accountId: string, most: number): Promise<void> {
  if ((await webhooks.lockCount(accountId)) < most) return;
  const detail = `An account may have ${most} webhooks, and this one has. Delete one that is not needed, or let one that is there receive more events.`;
  throw TrackingError.of("limit_reached", detail, { source: { pointer: "/data" } });
}
