import { type Resolution, readSearchQuery, resolveIdentifier } from "@svc/domain";
import { resolutionRecord } from "@svc/jsonapi";
import { type Database, findCandidates } from "@svc/persistence";
import type { Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { prefersJson } from "../http/wants-json.ts";

/** Where a resolved identifier leads (contract-decisions.md 6). `typed` is what was asked for, as it was asked. */
function targetOf(typed: string, resolution: Resolution | null): string {
  if (!resolution)
    return typed.trim() === "" ? "/shipments" : `/shipments?q=${encodeURIComponent(typed.toWellFormed())}`;
  const { shipmentId, containerId } = resolution;
  return `/shipments/${shipmentId}${containerId === null ? "" : `?container=${containerId}`}`;
}

/** `GET /shipments/find?q=` (interface-specification.md, Web deep link): the first of several `q` counts. */
export function findRoute(database: Database, appUrl: string) {
  return async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const [typed = ""] = [request.query.q].flat().filter((value) => typeof value === "string");
    const query = readSearchQuery(typed);
    const resolution =
      query && resolveIdentifier(query, await findCandidates(database.tenantSql, caller.accountId, query));
    const target = targetOf(typed, resolution);
    if (prefersJson(request)) response.json(resolutionRecord(typed, resolution, `${appUrl}${target}`));
    else response.redirect(302, target);
  };
}
