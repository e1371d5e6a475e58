import type { Clock, Instant } from "@svc/domain";
import type { Page } from "@svc/domain/lists";
import { readSearchQuery, type SearchQuery } from "@svc/domain/search";
import type { Shipment } from "@svc/domain/shipments";
import type { TrackingRequest, TrackingRequestStatus } from "@svc/domain/tracking-requests";
import type { Database } from "@svc/persistence";
import { type ContainerSummary, readContainerSummaries } from "@svc/persistence/containers";
import { findMatchingShipments } from "@svc/persistence/search";
import { createShipmentRepository, type ShipmentFilters, type StatusCounts } from "@svc/persistence/shipments";
import { createTrackingRequestRepository } from "@svc/persistence/tracking-requests";
import type { Request, Response } from "express";
import type { ApiCaller } from "../access/api-clients.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { noOpenRequests, type OpenRequests } from "../requests/open-requests.ts";
import { readListViews } from "../saved-views/read-views.ts";
import { createLineCatalogue } from "./line-catalogue.ts";
import { listPage } from "./list-page.ts";
import { filtersOf, isFiltered, type ListQuery, pageRequestOf, readListQuery } from "./list-query.ts";

/** A search considers this many of the newest matches, which are filtered, sorted and paged like any list. */
const matchesAtMost = 200;
const requestsShown = 5;
/** Texts up to this length are searched in the newest shipments only (find-matching-shipments.ts). */
const shortText = 2;

interface Found {
  readonly page: Page<Shipment>;
  readonly counts: StatusCounts;
  readonly boxes: ReadonlyMap<string, ContainerSummary>;
  readonly isCut: boolean;
  readonly isShort: boolean;
}

interface Searched {
  /** Undefined without a search. */
  readonly ids: readonly string[] | undefined;
  /** Null also for a text that cannot be a number or reference. */
  readonly search: SearchQuery | null;
  /** More shipments match. */
  readonly isCut: boolean;
}

/** The shipments that match the search text. */
export async function findSearched(database: Database, accountId: string, { typed }: ListQuery): Promise<Searched> {
  const search = readSearchQuery(typed);
  if (typed.trim() === "") return { ids: undefined, search, isCut: false };
  // A shipment may match twice, by its number and by a container's, so the rows are read with a margin.
  const most = 2 * matchesAtMost + 1;
  const found = search ? await findMatchingShipments(database.tenantSql, accountId, search, most) : [];
  return { ids: found.slice(0, matchesAtMost), search, isCut: found.length > matchesAtMost };
}

/**
 * `GET /shipments?q=&status=&carrier=&port=&tag=&arrival=&tracking=&sort=&page_size=&columns=&saved=&after=&before=`.
 */
export function listRoute(database: Database, apiBaseUrl: string, clock: Clock) {
  const shipments = createShipmentRepository(database.tenantSql);
  const readLines = createLineCatalogue(database.sql);
  const trackingRequests = createTrackingRequestRepository(database.tenantSql);

  const readRows = async (
    accountId: string,
    filters: ShipmentFilters,
    query: ListQuery,
    searched: string | undefined,
  ) => {
    const page = await shipments.list(accountId, filters, pageRequestOf(query));
    const ids = page.items.map((shipment) => shipment.id);
    return { page, boxes: await readContainerSummaries(database.tenantSql, accountId, ids, searched) };
  };

  const read = async (accountId: string, query: ListQuery, now: Instant): Promise<Found> => {
    const { ids: id, search, isCut } = await findSearched(database, accountId, query);
    const others = { ...filtersOf(query, now), ...(id && { id }) };
    const filters = { ...others, ...(query.status && { status: [query.status] }) };
    const [rows, counts] = await Promise.all([
      readRows(accountId, filters, query, search?.containerNumber),
      shipments.countByStatus(accountId, others),
    ]);
    return {
      ...rows,
      counts,
      isCut,
      isShort: search !== null && search.text.length <= shortText,
    };
  };

  /** Open tracking requests, on the first page of all shipments and of a search. */
  const readOpen = async (accountId: string, query: ListQuery): Promise<OpenRequests> => {
    if (query.from || isFiltered(query)) return noOpenRequests;
    if (query.typed.trim() !== "") {
      const search = readSearchQuery(query.typed);
      if (!search) return noOpenRequests;
      const found = await trackingRequests.search(accountId, search, { withoutShipments: [], limit: requestsShown });
      const items = found.filter(({ shipmentId }) => shipmentId === null);
      const failed = items.filter(({ status }) => status === "failed").length;
      return { items, pending: String(items.length - failed), failed: String(failed) };
    }
    const newest = { size: requestsShown, sortBy: "created_at", descending: true } as const;
    const read = (status: TrackingRequestStatus[]) =>
      trackingRequests.list(accountId, { status }, { ...newest, position: { kind: "number", number: 1 } });
    const [pending, failed] = await Promise.all([read(["pending", "awaiting_manifest"]), read(["failed"])]);
    const count = ({ total, totalIsExact }: Page<TrackingRequest>) => `${total}${totalIsExact ? "" : "+"}`;
    return { items: [...pending.items, ...failed.items], pending: count(pending), failed: count(failed) };
  };

  return async (request: Request, response: Response, caller: ApiCaller): Promise<void> => {
    const query = readListQuery(request.query);
    const now = clock.now();
    const [{ views, redirectTo }, found, requests, lines] = await Promise.all([
      readListViews(request, caller, "shipments"),
      read(caller.accountId, query, now),
      readOpen(caller.accountId, query),
      readLines(),
    ]);
    if (redirectTo !== null) return response.redirect(302, redirectTo);
    sendLivePage(request, response, listPage({ caller, apiBaseUrl, now, query, lines, requests, views, ...found }));
  };
}
