import { type Clock, type Instant, type Page, readSearchQuery, type Shipment } from "@svc/domain";
import {
  type ContainerSummary,
  createShipmentRepository,
  createTrackingRequestRepository,
  type Database,
  findMatchingShipments,
  readContainerSummaries,
  type ShipmentFilters,
  type StatusCounts,
} from "@svc/persistence";
import type { Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { sendLivePage } from "../pages/live-page.ts";
import type { OpenRequests } from "../requests/open-requests.ts";
import { createLineCatalogue } from "./line-catalogue.ts";
import { listPage } from "./list-page.ts";
import { filtersOf, isFiltered, type ListQuery, pageRequestOf, readListQuery } from "./list-query.ts";

/** A search looks at so many of the newest matches; the list of them is filtered, sorted and paged like any. */
const matchesAtMost = 200;
const requestsShown = 5;
const nobody: OpenRequests = { items: [], total: 0, totalIsExact: true };

interface Found {
  readonly page: Page<Shipment>;
  readonly counts: StatusCounts;
  readonly boxes: ReadonlyMap<string, ContainerSummary>;
  readonly cut: boolean;
}

/** `GET /shipments?q=&status=&carrier=&port=&tag=&arrival=&tracking=&sort=&page_size=&after=&before=`. */
export function listRoute(database: Database, apiBaseUrl: string, clock: Clock) {
  const shipments = createShipmentRepository(database.tenantSql);
  const readLines = createLineCatalogue(database.sql);
  const trackingRequests = createTrackingRequestRepository(database.tenantSql);

  const matches = async (accountId: string, typed: string): Promise<string[]> => {
    const query = readSearchQuery(typed);
    return query ? findMatchingShipments(database.tenantSql, accountId, query, matchesAtMost) : [];
  };

  const readRows = async (accountId: string, filters: ShipmentFilters, query: ListQuery) => {
    const page = await shipments.list(accountId, filters, pageRequestOf(query));
    const ids = page.items.map((shipment) => shipment.id);
    return { page, boxes: await readContainerSummaries(database.tenantSql, accountId, ids) };
  };

  const read = async (accountId: string, query: ListQuery, now: Instant): Promise<Found> => {
    const id = query.typed.trim() === "" ? null : await matches(accountId, query.typed);
    const others = { ...filtersOf(query, now), ...(id && { id }) };
    const filters = { ...others, ...(query.status && { status: [query.status] }) };
    const [rows, counts] = await Promise.all([
      readRows(accountId, filters, query),
      shipments.countByStatus(accountId, others),
    ]);
    return { ...rows, counts, cut: id?.length === matchesAtMost };
  };

  /** What is waited for, on the first page of all shipments; what a search finds among it. */
  const readOpen = async (accountId: string, query: ListQuery): Promise<OpenRequests> => {
    if (query.from || isFiltered(query)) return nobody;
    if (query.typed.trim() !== "") {
      const search = readSearchQuery(query.typed);
      if (!search) return nobody;
      const found = await trackingRequests.search(accountId, search, { withoutShipments: [], limit: requestsShown });
      const items = found.filter(({ shipmentId }) => shipmentId === null);
      return { items, total: items.length, totalIsExact: true };
    }
    return trackingRequests.list(
      accountId,
      { status: ["pending", "awaiting_manifest", "failed"] },
      { size: requestsShown, sortBy: "created_at", descending: true, position: { kind: "number", number: 1 } },
    );
  };

  return async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const query = readListQuery(request.query);
    const now = clock.now();
    const [found, requests, lines] = await Promise.all([
      read(caller.accountId, query, now),
      readOpen(caller.accountId, query),
      readLines(),
    ]);
    sendLivePage(request, response, listPage({ caller, apiBaseUrl, now, query, lines, requests, ...found }));
  };
}
