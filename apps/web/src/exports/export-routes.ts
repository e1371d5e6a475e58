import type { Clock } from "@svc/domain";
import type { Request, Response } from "express";
import type { ApiCaller } from "../access/api-clients.ts";
import { containerFiltersOf, readContainerQuery, sortText } from "../containers/list-query.ts";
import { visibleColumns as shownContainerColumns } from "../containers/list-row.ts";
import { apiFiltersOf, readListQuery } from "../shipments/list-query.ts";
import { shownColumns as shownShipmentColumns } from "../shipments/list-row.ts";
import { readerZone } from "../times/reader-zone.ts";
import { containerDisplayCells, shipmentDisplayCells } from "./display-cells.ts";
import { hasVisibleColumnsOnly } from "./export-menu.ts";
import { containerFileColumns, shipmentFileColumns } from "./file-columns.ts";
import { headings } from "./headings.ts";
import { moneyCells } from "./money-columns.ts";
import { sendRows } from "./send-rows.ts";

/**
 * `/shipments.csv`, `/containers.csv` and both as `.xlsx`: all rows of the list as its page filters and sorts it.
 * `?file=shown`: with the columns of the page, in its words and on its clocks.
 */
export const exportRoutes = (clock: Clock) => ({
  async shipments(request: Request, response: Response, { api }: ApiCaller): Promise<void> {
    const query = readListQuery(request.query);
    const now = clock.now();
    const filter = apiFiltersOf(query, now);
    const rows = await api.exports.shipmentOverviews({ filter, sort: query.sort });
    const zone = readerZone();
    const columns = shipmentFileColumns(hasVisibleColumnsOnly(request) ? shownShipmentColumns(query) : null);
    async function* fileRows() {
      for await (const row of rows) yield { ...row, ...shipmentDisplayCells(row, zone, now) };
    }
    await sendRows(request, response, { name: "shipments", columns, headings, rows: fileRows() });
  },

  async containers(request: Request, response: Response, { api }: ApiCaller): Promise<void> {
    const query = readContainerQuery(request.query);
    const rows = await api.exports.containerOverviews({ filter: containerFiltersOf(query), sort: sortText(query) });
    const [zone, now] = [readerZone(), clock.now()];
    const columns = containerFileColumns(hasVisibleColumnsOnly(request) ? shownContainerColumns(query) : null);
    async function* fileRows() {
      for await (const row of rows) yield { ...row, ...moneyCells(row), ...containerDisplayCells(row, zone, now) };
    }
    await sendRows(request, response, { name: "containers", columns, headings, rows: fileRows() });
  },
});
