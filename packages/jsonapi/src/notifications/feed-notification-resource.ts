import type { Notification } from "@svc/domain/notifications";
import type { z } from "zod";
import { NotificationDocument, notificationEnvelope } from "./notification-envelope.ts";
import { NotificationResource, notificationResource } from "./notification-resource.ts";

/** A notification with the body of its deliveries (docs/contract/decisions.md 3, Missed-event polling). */
export const FeedNotificationResource = NotificationResource.extend({
  attributes: NotificationResource.shape.attributes.extend({
    body: NotificationDocument.describe("Body of a delivery."),
  }),
}).meta({ id: "FeedNotification" });

export type FeedNotificationResource = z.infer<typeof FeedNotificationResource>;

/** `included` is JSON text stored when the event occurred. */
export function feedNotificationResource(
  notification: Notification & { readonly included: string },
  baseUrl: string,
): FeedNotificationResource {
  const { attributes, ...rest } = notificationResource(notification, baseUrl);
  return { ...rest, attributes: { ...attributes, body: JSON.parse(notificationEnvelope(notification)) } };
}
