import { trackingRequestContent } from "@svc/jsonapi";
import { findSubscriptions, type News, type Subscriptions, writeNews } from "@svc/persistence";
import type { PollEffects, PollUnit, RequestNews } from "./poll-unit.ts";
import type { ShipmentNews } from "./shipment-news.ts";
import { eventIdOf, eventNameOf, tellAnnouncement } from "./tell-announcement.ts";
import { readToldRecords, type ToldRecords } from "./told-records.ts";

/** Writes what subscribers are told of the poll, as the records are after it. @returns how many events are told. */
export async function tellNews(unit: PollUnit, { requestNews, shipmentNews }: PollEffects): Promise<number> {
  const { sql, claim, now } = unit;
  if (requestNews.length === 0 && (shipmentNews?.announcements.length ?? 0) === 0) return 0;
  const subscriptions = await findSubscriptions(sql, claim.accountId);
  const requests = requestNews.filter(({ event }) => subscriptions.isHeard(event));
  const heard = heardOf(shipmentNews, subscriptions);
  const shipmentId =
    requests.find(({ request }) => request.shipmentId !== null)?.request.shipmentId ?? heard?.shipmentId;
  const records = shipmentId ? await readRecords(unit, shipmentId, heard) : null;
  const announced = heard && records ? tellAnnouncements(heard, records, unit) : [];
  const news = [...requests.map((item) => tellRequest(item, records, unit)), ...announced];
  await writeNews(sql, claim.accountId, news, subscriptions, now);
  return news.length;
}

/** Only what somebody hears of is composed. */
function heardOf(news: ShipmentNews | undefined, subscriptions: Subscriptions): ShipmentNews | null {
  const announcements = news?.announcements.filter((one) => subscriptions.isHeard(eventNameOf(one))) ?? [];
  return news === undefined || announcements.length === 0 ? null : { ...news, announcements };
}

function readRecords(unit: PollUnit, shipmentId: string, heard: ShipmentNews | null): Promise<ToldRecords> {
  const { sql, claim, context } = unit;
  const eventIds = heard?.announcements.flatMap((announcement) => eventIdOf(heard, announcement) ?? []) ?? [];
  const vesselIds = [heard?.written.podVesselId ?? null];
  return readToldRecords(sql, claim.accountId, { shipmentId, eventIds, vesselIds }, context.baseUrl);
}

function tellAnnouncements(news: ShipmentNews, records: ToldRecords, { now }: PollUnit): News[] {
  return news.announcements.flatMap((announcement) => tellAnnouncement(announcement, { news, records, now }) ?? []);
}

function tellRequest({ event, request }: RequestNews, records: ToldRecords | null, { context }: PollUnit): News {
  const content = trackingRequestContent(event, request, {
    containerIds: records?.shipment.containerIds ?? [],
    related: (...ids) => records?.resources(...ids) ?? [],
    baseUrl: context.baseUrl,
  });
  return { event, ...content };
}
