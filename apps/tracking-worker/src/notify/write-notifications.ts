import { trackingRequestContent } from "@svc/jsonapi";
import { findSubscriptions, type News, type Subscriptions, writeNews } from "@svc/persistence";
import type { PollEffects, PollTransaction, RequestUpdate } from "../apply/poll-transaction.ts";
import { composeNotification, eventIdOf, eventNameOf } from "./compose-notification.ts";
import { type NotificationRecords, readNotificationRecords } from "./notification-records.ts";
import type { ShipmentUpdate } from "./shipment-update.ts";

/** Writes what subscribers are told of the poll, as the records are after it. @returns how many events are told. */
export async function writeNotifications(
  unit: PollTransaction,
  { requestUpdates, shipmentUpdate }: PollEffects,
): Promise<number> {
  const { sql, claim, now } = unit;
  if (requestUpdates.length === 0 && (shipmentUpdate?.announcements.length ?? 0) === 0) return 0;
  const subscriptions = await findSubscriptions(sql, claim.accountId);
  const requests = requestUpdates.filter(({ event }) => subscriptions.isHeard(event));
  const heard = heardOf(shipmentUpdate, subscriptions);
  const shipmentId =
    requests.find(({ request }) => request.shipmentId !== null)?.request.shipmentId ?? heard?.shipmentId;
  const records = shipmentId ? await readRecords(unit, shipmentId, heard) : null;
  const announced = heard && records ? composeNotifications(heard, records, unit) : [];
  const news = [...requests.map((item) => composeRequestNotification(item, records, unit)), ...announced];
  await writeNews(sql, claim.accountId, news, subscriptions, now);
  return news.length;
}

/** Only what somebody hears of is composed. */
function heardOf(news: ShipmentUpdate | undefined, subscriptions: Subscriptions): ShipmentUpdate | null {
  const announcements = news?.announcements.filter((one) => subscriptions.isHeard(eventNameOf(one))) ?? [];
  return news === undefined || announcements.length === 0 ? null : { ...news, announcements };
}

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

function composeNotifications(news: ShipmentUpdate, records: NotificationRecords, { now }: PollTransaction): News[] {
  return news.announcements.flatMap((announcement) => composeNotification(announcement, { news, records, now }) ?? []);
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
