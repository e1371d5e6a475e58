import type { Instant } from "@svc/domain";
import type { DeliveryState } from "@svc/domain/webhooks";
import { deliveryStates } from "@svc/domain/webhooks";
import { z } from "zod";
import { dateTime } from "../resource.ts";
import { type NotificationEnvelope, notificationEnvelope } from "./notification-envelope.ts";
import { NotificationResource, notificationResource } from "./notification-resource.ts";

const attemptEnd = z
  .object({
    attempt_number: z.number().int(),
    status_code: z.number().int().nullable().describe("HTTP status of the response. Null: no response was received."),
    error_class: z.string().nullable(),
  })
  .meta({ id: "LastDeliveryAttempt" });

/** A notification on its way to its webhook. Its id is the notification's. */
export const WebhookDeliveryResource = NotificationResource.extend({
  type: z.literal("webhook_delivery"),
  attributes: NotificationResource.shape.attributes.extend({
    state: z
      .enum(deliveryStates)
      .describe(
        "pending: due or waiting for its first attempt. queued, in_flight: an attempt is being made. retrying: waits " +
          "for the next attempt. held: the webhook is paused or disabled. delivered, failed: no attempt follows.",
      ),
    webhook_url: z.string().nullable().describe("URL of the webhook. Null once it is deleted."),
    prior_attempts: z.number().int().describe("Number of attempts before the current retry schedule began."),
    last_attempt: attemptEnd.nullable().describe("Last attempt. Null before the first one."),
    next_attempt_at: dateTime.nullable().describe("Time of the next attempt. Null: none follows."),
    body: z.string().describe("The body of every attempt as sent, over which its signature is computed."),
  }),
}).meta({ id: "WebhookDelivery" });

export type WebhookDeliveryResource = z.infer<typeof WebhookDeliveryResource>;

export interface WebhookDelivery extends NotificationEnvelope {
  readonly deliveryStatus: WebhookDeliveryResource["attributes"]["delivery_status"];
  readonly state: DeliveryState;
  readonly webhookUrl: string | null;
  readonly priorAttempts: number;
  readonly lastAttempt: {
    readonly number: number;
    readonly httpStatus: number | null;
    readonly errorClass: string | null;
  } | null;
  readonly nextAttemptAt: Instant | null;
}

export function webhookDeliveryResource(delivery: WebhookDelivery, baseUrl: string): WebhookDeliveryResource {
  const { id, attributes, relationships } = notificationResource(delivery, baseUrl);
  const { state, webhookUrl, priorAttempts, lastAttempt, nextAttemptAt } = delivery;
  return {
    id,
    type: "webhook_delivery",
    attributes: {
      ...attributes,
      state,
      webhook_url: webhookUrl,
      prior_attempts: priorAttempts,
      last_attempt: lastAttempt && {
        attempt_number: lastAttempt.number,
        status_code: lastAttempt.httpStatus,
        error_class: lastAttempt.errorClass,
      },
      next_attempt_at: nextAttemptAt,
      body: notificationEnvelope(delivery),
    },
    relationships,
    links: { self: `${baseUrl}/webhook_deliveries/${id}` },
  };
}
