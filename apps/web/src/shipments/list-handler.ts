import type { Clock } from "@svc/domain";
import { readSearchQuery } from "@svc/domain/search";
import type { Client, PageMeta } from "@svc/sdk";
import type { Request, Response } from "express";
import type { ApiCaller } from "../access/api-clients.ts";
import { chosenSlugs, readListFields, withDefinedColumns } from "../custom-fields/list-fields.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { rowsNote } from "../rows/shipment-rows.ts";
import { checkPort } from "../saved-views/port-choice.ts";
import { readListViews } from "../saved-views/read-views.ts";
import { findNamed, looksLikeNumber } from "../search/find-named.ts";
import { readCarrierMenu } from "../tracking-requests/carrier-menu.ts";
import { findConnectionProblems } from "../tracking-requests/connection-problems.ts";
import { noOpenRequests, type OpenRequests } from "../tracking-requests/open-requests.ts";
import { countedMax } from "./list-filters.ts";
import { listPage } from "./list-page.ts";
import { apiFiltersOf, isFiltered, type ListQuery, listPath, readListQuery } from "./list-query.ts";
import { isWaiting } from "./list-row.ts";

const requestsMax = 5;

/** Open tracking requests, on the first page of all shipments and of a search. */
async function readOpen(api: Client, query: ListQuery): Promise<OpenRequests> {
  const search = query.typed.trim() === "" ? undefined : query.typed.trim();
  if (query.from || isFiltered(query) || (search !== undefined && !readSearchQuery(search))) return noOpenRequests;
  const read = (...status: string[]) =>
    api.trackingRequests.list(
      { pageSize: requestsMax, filter: { status, search, resolved: false } },
      { format: "mapped", include: [] },
    );
  const [pending, failed] = await Promise.all([read("pending", "awaiting_manifest"), read("failed")]);
  const count = ({ meta: { page } }: { readonly meta: PageMeta }) =>
    `${page?.total ?? 0}${page?.total_is_exact === false ? "+" : ""}`;
  return {
    items: [...pending.items, ...failed.items],
    pending: count(pending),
    failed: count(failed),
    problems: await findConnectionProblems(api, pending.items),
  };
}

/**
 * `GET /shipments?q=&status=&carrier=&port=&tag=&arrival=&tracking=&sort=&page_size=&columns=&saved=&after=&before=`.
 */
export function listHandler(apiBaseUrl: string, clock: Clock) {
  return async (request: Request, response: Response, caller: ApiCaller): Promise<void> => {
    const { api } = caller;
    const given = readListQuery(request.query);
    const redirectToPort = (port: string) => response.redirect(302, listPath(given, { port }));
    const portName = await checkPort(api, given.port, false);
    if (portName.otherLocode) return redirectToPort(portName.otherLocode);
    const now = clock.now();
    const { sort, pageSize, from } = given;
    const filter = apiFiltersOf(given, now);
    const customFields = chosenSlugs(given.columns);
    const input = from === null ? given.typed.trim() : "";
    // A text like a number is one first.
    const isName = !looksLikeNumber(input);
    const countOf = (counted: ListQuery) =>
      api.overviews.countShipments("status", apiFiltersOf(counted, now), { upTo: countedMax });
    const [{ views, redirectTo }, fields, page, counts, arriving, requests, lines, named] = await Promise.all([
      readListViews(request, caller, "shipments"),
      readListFields(api, "shipments"),
      api.overviews.shipments({ filter, sort, pageSize, customFields, ...(from && { [from.side]: from.cursor }) }),
      countOf({ ...given, status: null }),
      countOf({ ...given, arrival: "next_7_days" }),
      readOpen(api, given),
      api.shippingLines.list({}, { format: "mapped" }),
      isName ? findNamed(api, input) : [],
    ]);
    if (redirectTo !== null) return response.redirect(302, redirectTo);
    const port = portName.isUnknown ? portName : await checkPort(api, given.port, page.data.length === 0);
    if (port.otherLocode) return redirectToPort(port.otherLocode);
    const query = withDefinedColumns(given, fields);
    const waits = page.data.some(({ attributes }) => isWaiting(attributes));
    const isUnknown = page.data.length === 0 && requests.items.length === 0;
    const options = {
      named: isUnknown && !isName ? await findNamed(api, input) : named,
      caller,
      apiBaseUrl,
      now,
      query,
      fields,
      page,
      counts: counts.data,
      arriving: arriving.data.reduce((sum, { attributes }) => sum + attributes.count, 0),
      lines: lines.items,
      unconnected: waits ? (await readCarrierMenu(api)).unconnected : new Set<string>(),
      requests,
      isUnknownPort: port.isUnknown,
      views,
      note: rowsNote(request.query, listPath(query, { from: query.from })),
    };
    sendLivePage(request, response, listPage(options));
  };
}
