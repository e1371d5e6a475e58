import { type Attempt, attemptFields } from "@svc/domain/notifications";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";

const attributes = wireAttributes(attemptFields, {
  id: omitted,
  httpStatus: { status_code: attribute(attemptFields.httpStatus, ({ httpStatus }) => httpStatus) },
});

/** docs/contract/decisions.md 3, Notification attempts. Read with its notification, so it has no URL. */
export const AttemptResource = z
  .object({ id: z.uuid(), type: z.literal("webhook_notification_attempt"), attributes: z.object(attributes.shape) })
  .meta({ id: "WebhookNotificationAttempt" });

export type AttemptResource = z.infer<typeof AttemptResource>;

export const attemptResource = (attempt: Attempt): AttemptResource => ({
  id: attempt.id,
  type: "webhook_notification_attempt",
  attributes: attributes.of(attempt),
});
