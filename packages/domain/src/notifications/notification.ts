import type { Instant } from "../instant.ts";
import type { WebhookEventName } from "../webhooks/event-catalogue.ts";

export const deliveryStatuses = ["pending", "succeeded", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const referenceTypes = [
  "tracking_request",
  "transport_event",
  "estimated_event",
  "container_updated_event",
  "container_created_event",
  "container_pod_terminal_changed_event",
  "container_demurrage",
  "exception",
  "webhook_notice",
] as const;
export type ReferenceType = (typeof referenceTypes)[number];

/** One message to one webhook. `id` is `data.id` of the body and stays the same in every attempt. */
export interface Notification {
  readonly id: string;
  readonly webhookId: string;
  readonly event: WebhookEventName;
  readonly deliveryStatus: DeliveryStatus;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  readonly createdAt: Instant;
}
