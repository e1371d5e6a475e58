import { limitReached } from "@svc/jsonapi";
import type { WebhookRepository } from "@svc/persistence/webhooks";

/** Default maximum of an account: each webhook adds a notification and a delivery to every event it subscribes to. */
export const webhooksPerAccountMax = 250;

/**
 * Upper bound of what the operator may configure: below the number of webhooks that one round of claims considers
 * (`webhooksMax` of claims), so that one account cannot fill a round.
 */
export const webhooksPerAccountLimit = 400;

/**
 * Throws `TrackingError` `limit_reached` when the account has the maximum of webhooks. Locks until the transaction of
 * the creation ends, so that concurrent creations cannot exceed the limit together.
 */
export async function checkWebhookLimit(webhooks: WebhookRepository, accountId: string, max: number): Promise<void> {
  if ((await webhooks.lockCount(accountId)) < max) return;
  const remedy = "Delete one, or subscribe an existing one to more events";
  throw limitReached(`This account has reached its limit of ${max} webhooks. ${remedy}.`);
}
