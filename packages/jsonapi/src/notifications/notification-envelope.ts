import type { Notification } from "@svc/domain/notifications";
import { z } from "zod";
import { linkage } from "../resource.ts";
import { NotificationResource } from "./notification-resource.ts";

export interface NotificationEnvelope extends Omit<Notification, "deliveryStatus"> {
  /** The `included` array as JSON text, stored when the event occurred. */
  readonly included: string;
}

/**
 * The body of a delivery (docs/contract/reference.md 3.2). It is deterministic, so every attempt of a notification has
 * the same body and signature; `delivery_status` is therefore always `pending`.
 */
export function notificationEnvelope(envelope: NotificationEnvelope): string {
  const data = {
    id: envelope.id,
    type: "webhook_notification",
    attributes: { event: envelope.event, delivery_status: "pending", created_at: envelope.createdAt },
    relationships: {
      webhook: linkage("webhook", envelope.webhookId),
      reference_object: linkage(envelope.referenceType, envelope.referenceId),
    },
  };
  return `{"data":${JSON.stringify(data)},"included":${envelope.included}}`;
}

/** Schema of the delivery body, for the published description. */
export const NotificationDocument = z
  .object({
    data: NotificationResource.omit({ links: true }),
    included: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  })
  .meta({ id: "NotificationDocument" });

/** A list of sample deliveries (docs/contract/reference.md 1.8). */
export const NotificationExamples = z
  .object({ data: z.array(NotificationDocument.shape.data), included: NotificationDocument.shape.included })
  .meta({ id: "NotificationExamples" });
