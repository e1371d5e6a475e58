import { openCalendarFeed } from "@svc/persistence/calendar-feeds";
import { MemoryWindow, networkOf } from "@svc/service-kit";
import type { NextFunction, Request, Response } from "express";
import type { Services } from "../services.ts";
import { entityTagOf, feedDocument } from "./feed-document.ts";
import { createFeedReader } from "./feed-events.ts";

/** Services read the feeds of many members from few addresses. A secret has 256 bits: the limit is about load. */
const networkLimit = { limit: 600, windowMs: 60_000 };
/** A calendar reads its feed a few times an hour. */
const feedLimit = { limit: 12, windowMs: 60_000 };

/** The address is the secret: it goes to no other site and no search engine. */
function setFeedHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Cache-Control": "private, no-cache",
  });
  next();
}

const sendText = (response: Response, status: number, text: string): void =>
  void response.status(status).set("Cache-Control", "private, no-store").type("text/plain").send(`${text}\n`);

function refuse(response: Response, resetMs: number): void {
  const seconds = Math.ceil(resetMs / 1_000);
  response.set("Retry-After", String(seconds));
  sendText(response, 429, `Too many requests. Try again in ${seconds} seconds.`);
}

/**
 * `/calendar/{secret}.ics`: the feed of a member, without a login. Unknown, renewed and deleted addresses answer alike.
 * The secret is in no log: requests are logged by route pattern.
 */
export function feedHandlers({ database, appUrl, clock }: Pick<Services, "database" | "appUrl" | "clock">) {
  const readEvents = createFeedReader(database);
  const networkLimiter = new MemoryWindow(networkLimit);
  const feedLimiter = new MemoryWindow(feedLimit);

  const show = async (request: Request, response: Response): Promise<void> => {
    const network = networkLimiter.take(networkOf(request.ip ?? ""));
    if (!network.accepted) return refuse(response, network.resetMs);
    const feed = await openCalendarFeed(database.sql, String(request.params.secret));
    if (feed === null) return sendText(response, 404, "There is no calendar at this address.");
    const own = feedLimiter.take(feed.id);
    if (!own.accepted) return refuse(response, own.resetMs);
    const document = feedDocument({ name: feed.name, appUrl, events: await readEvents(feed, clock.now()) });
    const tag = entityTagOf(document);
    response.set("ETag", tag);
    // `request.fresh` is not used: every response is validated, also to a client that requests no cached one.
    const known = request.get("If-None-Match")?.split(",") ?? [];
    if (known.some((one) => one.trim() === tag)) return void response.status(304).end();
    response.type("text/calendar").set("Content-Disposition", 'inline; filename="arrivals.ics"').send(document);
  };

  const onlyRead = (_request: Request, response: Response): void => {
    sendText(response, 405, "A calendar can only be read.");
  };

  return { show: [setFeedHeaders, show], refuseMethod: [setFeedHeaders, onlyRead] };
}
