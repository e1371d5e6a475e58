import type { Clock } from "@svc/domain";
import type { PageRequest } from "@svc/domain/lists";
import {
  ContainerOverviewResource,
  containerOverviewResource,
  ShipmentOverviewResource,
  shipmentOverviewResource,
} from "@svc/jsonapi/overviews";
import type { Database } from "@svc/persistence";
import { createContainerOverviewReader, createShipmentOverviewReader } from "@svc/persistence/overviews";
import { createShipmentRepository } from "@svc/persistence/shipments";
import type { Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { containerFiltersOf, containerSortValue, readContainerQuery } from "../containers/list-query.ts";
import { filtersOf, pageRequestOf, readListQuery, sortValue } from "../shipments/list-query.ts";
import { findSearched } from "../shipments/list-route.ts";
import { batches } from "./batches.ts";
import { sendRows } from "./send-rows.ts";

const batchSize = 500;
const start = { size: batchSize, position: { kind: "number", number: 1 } } as const;

/** `/shipments.csv`, `/containers.csv` and both as `.xlsx`: all rows of the list as its page filters and sorts it. */
export function exportRoutes(database: Database, clock: Clock) {
  const shipments = createShipmentRepository(database.tenantSql);
  const overviews = createShipmentOverviewReader(database.tenantSql);
  const containers = createContainerOverviewReader(database.tenantSql);

  return {
    async shipments(request: Request, response: Response, { accountId }: Caller): Promise<void> {
      const query = readListQuery(request.query);
      const now = clock.now();
      const { ids } = await findSearched(database, accountId, query);
      const filters = {
        ...filtersOf(query, now),
        ...(ids && { id: ids }),
        ...(query.status && { status: [query.status] }),
      };
      const { sortBy, descending } = pageRequestOf(query);
      const first = { ...start, sortBy, descending };
      const read = (page: PageRequest<typeof sortBy>) => shipments.list(accountId, filters, page);
      async function* rows() {
        for await (const batch of batches(first, read, (row) => sortValue(sortBy, row))) {
          const shipment = batch.map(({ id }) => id);
          const { items } = await overviews.list(accountId, { shipment }, first, now);
          yield items.map((row) => ({ id: row.id, ...shipmentOverviewResource(row).attributes }));
        }
      }
      const columns = ["id", ...Object.keys(ShipmentOverviewResource.shape.attributes.shape)];
      await sendRows(request, response, { name: "shipments", columns, batches: rows() });
    },

    async containers(request: Request, response: Response, { accountId }: Caller): Promise<void> {
      const query = readContainerQuery(request.query);
      const now = clock.now();
      const filters = containerFiltersOf(query);
      const first = { ...start, sortBy: query.sortBy, descending: query.descending };
      const read = (page: PageRequest<typeof query.sortBy>) => containers.list(accountId, filters, page, now);
      async function* rows() {
        for await (const batch of batches(first, read, (row) => containerSortValue(query.sortBy, row)))
          yield batch.map((row) => ({ id: row.id, ...containerOverviewResource(row).attributes }));
      }
      const columns = ["id", ...Object.keys(ContainerOverviewResource.shape.attributes.shape)];
      await sendRows(request, response, { name: "containers", columns, batches: rows() });
    },
  };
}
