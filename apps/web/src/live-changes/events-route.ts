import { TrackingError } from "@svc/jsonapi";
import type { Request, Response } from "express";
import type { ApiCaller } from "../access/api-clients.ts";
import type { SessionCookie } from "../access/session-cookie.ts";
import { isUuid, queryText } from "../http/read-request.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { EventStreams } from "./event-streams.ts";

/**
 * `GET /events` and `GET /events?shipment={id}`: server-sent events without data. `ready`: from now on changes of the
 * account or of the shipment are reported. `changed`: after each of them. The page then requests itself, which checks
 * the session and what the member may see. Throws `TrackingError` `rate_limited` at the limit of open streams.
 */
export function eventsRoute(feed: ChangeFeed, streams: EventStreams, cookie: SessionCookie) {
  return async (request: Request, response: Response, { accountId }: ApiCaller): Promise<void> => {
    const shipment = queryText(request, "shipment");
    if (shipment !== "" && !isUuid(shipment)) throw TrackingError.of("invalid", "Not the id of a shipment.");
    if (request.method === "HEAD") return void response.type("text/event-stream").end();
    // The page was left while its session was looked up: nothing would report the end of the stream any more.
    if (response.destroyed) return;
    const session = cookie.read(request)?.toString("base64") ?? accountId;
    const stream = streams.open(response, session);
    if (stream === null) {
      response.set("Retry-After", "60");
      throw TrackingError.of("rate_limited", "Too many pages are open. This page is refreshed less often.");
    }
    const listener = { ready: () => stream.send("ready"), changed: () => stream.send("changed") };
    const end = feed.watch({ accountId, shipmentId: shipment === "" ? null : shipment.toLowerCase() }, listener);
    stream.ended.addEventListener("abort", end);
  };
}
