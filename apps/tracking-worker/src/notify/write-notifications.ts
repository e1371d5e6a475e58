import { trackingRequestContent } from "@svc/jsonapi";
import { findSubscriptions, type News, type Subscriptions, writeChangeEvents, writeNews } from "@svc/persistence";
import type { PollEffects, PollTransaction, RequestUpdate } from "../apply/poll-transaction.ts";
import {
  changeEventOf,
  composeChangeNotification,
  composeNotification,
  eventIdOf,
  eventNameOf,
  isChangeEvent,
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
  const requests = requestUpdates.filter(({ event }) => subscriptions.isHeard(event));
  const heard = withWanted(shipmentUpdate, subscriptions);
  const shipmentId =
    requests.find(({ request }) => request.shipmentId !== null)?.request.shipmentId ?? heard?.shipmentId;
  const records = shipmentId ? await readRecords(unit, shipmentId, heard) : null;
  const announced = heard && records ? await recordAndCompose(heard, records, unit, subscriptions) : [];
  const news = [...requests.map((item) => composeRequestNotification(item, records, unit)), ...announced];
  await writeNews(sql, claim.accountId, news, subscriptions, now);
  return news.length;
}

/** Only what a webhook subscribes to is composed, and what is an event of its own, which is stored in any case. */
function withWanted(news: ShipmentUpdate | undefined, subscriptions: Subscriptions): ShipmentUpdate | null {
  const announcements =
    news?.announcements.filter((one) => isChangeEvent(one) || subscriptions.isHeard(eventNameOf(one))) ?? [];
  return news === undefined || announcements.length === 0 ? null : { ...news, announcements };
}

/** Reads only the records that the notifications include. New milestones are those that were written. */
function readRecords(
  unit: PollTransaction,
  shipmentId: string,
  heard: ShipmentUpdate | null,
): Promise<NotificationRecords> {
  const { sql, claim, context } = unit;
  const eventIds = heard?.announcements.flatMap((announcement) => eventIdOf(heard, announcement) ?? []) ?? [];
  const vesselIds = [heard?.written.podVesselId ?? null];
  return readNotificationRecords(sql, claim.accountId, { shipmentId, eventIds, vesselIds }, context.baseUrl);
}

/** Stores the change events, so that every `reference_object` can be read, and composes those with a subscriber. */
async function recordAndCompose(
  news: ShipmentUpdate,
  records: NotificationRecords,
  { sql, claim, now }: PollTransaction,
  subscriptions: Subscriptions,
): Promise<News[]> {
  const context = { news, records, now };
  const composed = news.announcements.map((announcement) => ({
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
    return subscriptions.isHeard(eventNameOf(announcement))
      ? [composeChangeNotification(announcement, event, context)]
      : [];
  });
}

function composeRequestNotification(
  { event, request }: RequestUpdate,
  records: NotificationRecords | null,
  { context }: PollTransaction,
): News {
  const content = trackingRequestContent(event, request, {
    containerIds: records?.shipment.containerIds ?? [],
    related: (...ids) => records?.resources(...ids) ?? [],
    baseUrl: context.baseUrl,
  });
  return { event, ...content };
}
