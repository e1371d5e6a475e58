import { type Database, uuidV7 } from "@svc/persistence";

/**
 * Adds a notification that is due, as the tracking worker writes it, and notifies the webhook worker. Returns the id.
 */
export async function addNotification(
  { prisma }: Database,
  { accountId, webhookId }: { readonly accountId: string; readonly webhookId: string },
  requestNumber = "MEDUFR030802",
): Promise<string> {
  const [id, eventId, referenceId] = [uuidV7.next(), uuidV7.next(), uuidV7.next()];
  const createdAt = new Date();
  const event = "tracking_request.succeeded";
  const reference = { id: referenceId, type: "tracking_request", attributes: { request_number: requestNumber } };
  const due = { accountId, webhookId, eventId, createdAt };
  await prisma.$transaction([
    prisma.notificationEvent.create({
      data: {
        accountId,
        id: eventId,
        event,
        referenceType: "tracking_request",
        referenceId,
        included: JSON.stringify([reference]),
        createdAt,
      },
    }),
    prisma.webhookNotification.create({ data: { ...due, id, event } }),
    prisma.webhookDelivery.create({ data: { ...due, notificationId: id, nextAttemptAt: createdAt } }),
    prisma.$executeRaw`SELECT pg_notify('svc_webhooks', '')`,
  ]);
  return id;
}
