import { trackingRequestContent } from "@svc/jsonapi/notifications";
import {
  findSubscriptions,
  type NotificationEvent,
  type Subscriptions,
  writeChangeEvents,
  writeNotificationEvents,
} from "@svc/persistence/tracking";
import type { PollEffects, PollTransaction, RequestUpdate } from "../apply/poll-transaction.ts";
import {
  changeEventOf,
  composeChangeNotification,
  composeNotification,
  eventNameOf,
  isChangeEvent,
  milestoneOf,
} from "./compose-notification.ts";
import { type NotificationRecords, readNotificationRecords } from "./notification-records.ts";
import type { ShipmentUpdate } from "./shipment-update.ts";

/** Writes the notification events of a poll, with the records after it. @returns the number of events. */
export async function writeNotifications(
  unit: PollTransaction,
  { requestUpdates, shipmentUpdate }: PollEffects,
): Promise<number> {
  const { sql, claim, now } = unit;
  if (requestUpdates.length === 0 && (shipmentUpdate?.announcements.length ?? 0) === 0) return 0;
  const subscriptions = await findSubscriptions(sql, claim.accountId);
  const requests = requestUpdates.filter(({ event }) => subscriptions.hasSubscriber(event));
  const notified = withNotified(shipmentUpdate, subscriptions);
  const shipmentId =
    requests.find(({ request }) => request.shipmentId !== null)?.request.shipmentId ?? notified?.shipmentId;
  const records = shipmentId ? await readRecords(unit, shipmentId, { requests, notified }) : null;
  const announced = notified && records ? await recordAndCompose(notified, records, unit, subscriptions) : [];
  const events = [...requests.map((item) => composeRequestNotification(item, records, unit)), ...announced];
  await writeNotificationEvents(sql, claim.accountId, events, subscriptions, now);
  return events.length;
}

/** Keeps announcements with a subscriber, and those that are stored as transport events in any case. */
function withNotified(update: ShipmentUpdate | undefined, subscriptions: Subscriptions): ShipmentUpdate | null {
  const announcements =
    update?.announcements.filter((one) => isChangeEvent(one) || subscriptions.hasSubscriber(eventNameOf(one))) ?? [];
  return update === undefined || announcements.length === 0 ? null : { ...update, announcements };
}

/** Reads only the records that the notifications include. New milestones are those that were written. */
function readRecords(
  unit: PollTransaction,
  shipmentId: string,
  { requests, notified }: { readonly requests: readonly RequestUpdate[]; readonly notified: ShipmentUpdate | null },
): Promise<NotificationRecords> {
  const { sql, claim, context } = unit;
  const announcements = notified?.announcements ?? [];
  const events = announcements.flatMap((announcement) => (notified && milestoneOf(notified, announcement)) ?? []);
  const containerIds = announcements.flatMap((announcement) =>
    announcement.kind === "shipment_estimate" ? [] : (notified?.containerIds.get(announcement.containerNumber) ?? []),
  );
  // A succeeded request includes every container.
  const isCreated = requests.some(({ event }) => event === "tracking_request.succeeded");
  const wanted = { shipmentId, containerIds: isCreated ? null : containerIds, events };
  const vesselIds = [notified?.written.podVesselId ?? null];
  return readNotificationRecords(sql, claim.accountId, { ...wanted, vesselIds }, context.baseUrl);
}

/** Stores the change events, so that every `reference_object` can be read, and composes those with a subscriber. */
async function recordAndCompose(
  update: ShipmentUpdate,
  records: NotificationRecords,
  { sql, claim, now }: PollTransaction,
  subscriptions: Subscriptions,
): Promise<NotificationEvent[]> {
  const context = { update, records, now };
  const composed = update.announcements.map((announcement) => ({
    announcement,
    event: changeEventOf(announcement, context),
  }));
  await writeChangeEvents(
    sql,
    claim.accountId,
    composed.flatMap(({ event }) => event ?? []),
  );
  return composed.flatMap(({ announcement, event }) => {
    if (event === null) return composeNotification(announcement, context) ?? [];
    return subscriptions.hasSubscriber(eventNameOf(announcement))
      ? [composeChangeNotification(announcement, event, context)]
      : [];
  });
}

function composeRequestNotification(
  { event, request }: RequestUpdate,
  records: NotificationRecords | null,
  { context }: PollTransaction,
): NotificationEvent {
  const content = trackingRequestContent(event, request, {
    containerIds: records?.shipment.containerIds ?? [],
    related: (...ids) => records?.resources(...ids) ?? [],
    baseUrl: context.baseUrl,
  });
  return { event, ...content };
}
