import type { Clock } from "@svc/domain";
import { ContainerOverviewExportRow, ShipmentOverviewExportRow } from "@svc/jsonapi/exports";
import type { Request, Response } from "express";
import type { ApiCaller } from "../access/api-clients.ts";
import { containerFiltersOf, readContainerQuery, sortText } from "../containers/list-query.ts";
import { apiFiltersOf, readListQuery } from "../shipments/list-query.ts";
import { sendRows } from "./send-rows.ts";

/** `/shipments.csv`, `/containers.csv` and both as `.xlsx`: all rows of the list as its page filters and sorts it. */
export const exportRoutes = (clock: Clock) => ({
  async shipments(request: Request, response: Response, { api }: ApiCaller): Promise<void> {
    const query = readListQuery(request.query);
    const filter = apiFiltersOf(query, clock.now());
    const rows = await api.exports.shipmentOverviews({ filter, sort: query.sort });
    const columns = Object.keys(ShipmentOverviewExportRow.shape);
    await sendRows(request, response, { name: "shipments", columns, rows });
  },

  async containers(request: Request, response: Response, { api }: ApiCaller): Promise<void> {
    const query = readContainerQuery(request.query);
    const rows = await api.exports.containerOverviews({ filter: containerFiltersOf(query), sort: sortText(query) });
    const columns = Object.keys(ContainerOverviewExportRow.shape);
    await sendRows(request, response, { name: "containers", columns, rows });
  },
});
