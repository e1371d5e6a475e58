import { isOffered, type WebhookEventName } from "@svc/domain/webhooks";
import { type ErrorSource, TrackingError } from "@svc/jsonapi";
import type { Caller } from "../http/authenticator.ts";

/** Throws `TrackingError` `feature_not_enabled` for an event of a paid feature that the account does not have. */
export function checkOffered(event: WebhookEventName, { features }: Caller, source: ErrorSource): void {
  if (isOffered(event, features)) return;
  const detail = `${event} belongs to a paid feature that this account does not have.`;
  throw TrackingError.of("feature_not_enabled", detail, { source });
}
