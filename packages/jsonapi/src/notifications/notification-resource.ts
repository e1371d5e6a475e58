import { deliveryStatuses, type Notification, referenceTypes } from "@svc/domain/notifications";
import { webhookEventNames } from "@svc/domain/webhooks";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne } from "../resource.ts";

/** docs/contract/reference.md 2.6. */
export const NotificationResource = resourceObject(
  "webhook_notification",
  {
    event: z.enum(webhookEventNames),
    delivery_status: z.enum(deliveryStatuses),
    created_at: dateTime,
  },
  { webhook: toOne("webhook"), reference_object: toOne(...referenceTypes) },
).meta({ id: "WebhookNotification" });

export type NotificationResource = z.infer<typeof NotificationResource>;

export function notificationResource(notification: Notification, baseUrl: string): NotificationResource {
  return {
    id: notification.id,
    type: "webhook_notification",
    attributes: {
      event: notification.event,
      delivery_status: notification.deliveryStatus,
      created_at: notification.createdAt,
    },
    relationships: {
      webhook: linkage("webhook", notification.webhookId),
      reference_object: linkage(notification.referenceType, notification.referenceId),
    },
    links: { self: `${baseUrl}/webhook_notifications/${notification.id}` },
  };
}
