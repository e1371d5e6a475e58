import { type Resolution, readSearchQuery, resolveIdentifier } from "@svc/domain/search";
import { TrackingError } from "@svc/jsonapi";
import { resolutionRecord } from "@svc/jsonapi/search";
import type { Database } from "@svc/persistence";
import { findCandidates } from "@svc/persistence/search";
import { MemoryWindow } from "@svc/service-kit";
import { type AccountHandler, prefersJson, type WebOptions } from "@svc/web";

/** Path for a resolved identifier (docs/contract/decisions.md 6). `input` is the text as it was requested. */
function targetPath(input: string, resolution: Resolution | null): string {
  if (!resolution)
    return input.trim() === "" ? "/shipments" : `/shipments?q=${encodeURIComponent(input.toWellFormed())}`;
  const { shipmentId, containerId } = resolution;
  return `/shipments/${shipmentId}${containerId === null ? "" : `?container=${containerId}`}`;
}

export interface FindOptions {
  /** Maximum for a user, and for an account by its API tokens, in this process. Default 600. */
  readonly searchesPerMinute?: number;
}

/** `GET /shipments/find?q=` (docs/contract/specification.md, Web deep link): the first of several `q` counts. */
function findRoute(database: Database, appUrl: string, { searchesPerMinute = 600 }: FindOptions): AccountHandler {
  const searches = new MemoryWindow({ limit: searchesPerMinute, windowMs: 60_000 });
  return async (request, response, caller) => {
    const { accepted, resetMs } = searches.take(caller.user?.userId ?? caller.accountId);
    if (!accepted) {
      const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
      const detail = `Limit of ${searchesPerMinute} searches per minute exceeded. Retry after ${seconds} s.`;
      throw TrackingError.of("rate_limited", detail, { meta: { retry_after: seconds } });
    }
    const [input = ""] = [request.query.q].flat().filter((value) => typeof value === "string");
    const query = readSearchQuery(input);
    const resolution =
      query && resolveIdentifier(query, await findCandidates(database.tenantSql, caller.accountId, query));
    const target = targetPath(input, resolution);
    if (prefersJson(request)) response.json(resolutionRecord(input, resolution, `${appUrl}${target}`));
    else response.redirect(302, target);
  };
}

/** The deep link as an extension of the web application, whose login and pages it leads to. */
export function deepLink(
  database: Database,
  appUrl: string,
  options: FindOptions = {},
): NonNullable<WebOptions["extend"]> {
  return (app, forAccount) => app.get("/shipments/find", forAccount(findRoute(database, appUrl, options)));
}
