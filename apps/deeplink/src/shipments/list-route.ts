import { readSearchQuery, type Shipment, type ShipmentStatus, shipmentStatus, shipmentStatuses } from "@svc/domain";
import { createShipmentRepository, type Database, findMatchingShipments } from "@svc/persistence";
import type { Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { sendPage } from "../http/send-page.ts";
import { listPage } from "./list-page.ts";

const pageSize = 25;
/** Beyond it a list is searched, not paged through. */
const lastPage = 400;
const matchesAtMost = 25;

const one = (value: unknown): string => (typeof value === "string" ? value : "");

function readStatus(value: unknown): ShipmentStatus | null {
  return shipmentStatuses.find((status) => status === value) ?? null;
}

function readPage(value: unknown): number {
  const page = Number(one(value));
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}

/** `GET /shipments?q=&status=&page=`. What makes no sense in the query counts as absent. */
export function listRoute(database: Database, apiBaseUrl: string) {
  const shipments = createShipmentRepository(database.tenantSql);

  /** Newest first, like the list. */
  const search = async (accountId: string, typed: string): Promise<Shipment[]> => {
    const query = readSearchQuery(typed);
    if (!query) return [];
    const ids = await findMatchingShipments(database.tenantSql, accountId, query, matchesAtMost);
    if (ids.length === 0) return [];
    const found = new Map((await shipments.findMany(accountId, ids)).map((shipment) => [shipment.id, shipment]));
    return ids.flatMap((id) => found.get(id) ?? []);
  };

  return async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const typed = one(request.query.q);
    const status = readStatus(request.query.status);
    const number = readPage(request.query.page);
    const frame = { caller, apiBaseUrl, typed, status };
    if (typed.trim() !== "") {
      const found = await search(caller.accountId, typed);
      const items = status ? found.filter((shipment) => shipmentStatus(shipment) === status) : found;
      const cut = found.length === matchesAtMost;
      sendPage(response, 200, listPage({ ...frame, items, number: 1, hasMore: false, cut }));
      return;
    }
    const page = await shipments.list(caller.accountId, status ? { status: [status] } : {}, {
      size: pageSize,
      sortBy: "created_at",
      descending: true,
      position: { kind: "number", number },
    });
    const hasMore = page.hasMore && number < lastPage;
    sendPage(response, 200, listPage({ ...frame, items: page.items, number, hasMore, cut: false }));
  };
}
