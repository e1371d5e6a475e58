import { isUuid } from "@svc/domain/identifiers";
import { TrackingError } from "@svc/jsonapi";
import { readChangeVersions } from "@svc/persistence/live-changes";
import { get, type Route } from "../http/define-route.ts";
import type { AccountHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import type { Services } from "../services.ts";
import { createChangeFeed } from "./change-feed.ts";
import { createEventStreams } from "./event-streams.ts";

/**
 * `GET /events` and `GET /events?shipment={id}`: server-sent events without data. `ready`: from now on changes of the
 * account or of the shipment are reported. `changed`: after each of them. The page then requests itself, which checks
 * the session and what the member may see. Throws `TrackingError` `rate_limited` at the limit of open streams.
 */
export function liveChangeRoutes(
  services: Pick<Services, "database" | "logger" | "metrics" | "stopping" | "cookie">,
): readonly Route[] {
  const { database, logger, metrics, stopping, cookie } = services;
  const streams = createEventStreams(metrics, stopping);
  const feed = createChangeFeed({
    readVersions: (records) => readChangeVersions(database.sql, records),
    onFailure: (error) => stopping?.aborted || logger.warn({ err: error }, "live_changes.not_read"),
  });

  const stream: AccountHandler = async (request, response, { accountId }) => {
    const shipment = queryText(request, "shipment");
    if (shipment !== "" && !isUuid(shipment)) throw TrackingError.of("invalid", "Not the id of a shipment.");
    if (request.method === "HEAD") return void response.type("text/event-stream").end();
    // The page was left while its session was looked up: nothing would report the end of the stream any more.
    if (response.destroyed) return;
    const session = cookie.read(request)?.toString("base64") ?? accountId;
    const opened = streams.open(response, session);
    if (opened === null) {
      response.set("Retry-After", "60");
      throw TrackingError.of("rate_limited", "Too many pages are open. This page is refreshed less often.");
    }
    const listener = { ready: () => opened.send("ready"), changed: () => opened.send("changed") };
    const end = feed.watch({ accountId, shipmentId: shipment === "" ? null : shipment.toLowerCase() }, listener);
    opened.ended.addEventListener("abort", end);
  };

  return [get("/events", "account", stream, { streams: true })];
}
