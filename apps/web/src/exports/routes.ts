import { customFieldCells } from "@svc/jsonapi/exports";
import type { Request } from "express";
import type { ApiCaller } from "../access/api-clients.ts";
import { containerFiltersOf, readContainerQuery, sortText } from "../containers/list-query.ts";
import { visibleColumns as shownContainerColumns } from "../containers/list-row.ts";
import {
  chosenFields,
  chosenSlugs,
  fieldFileColumns,
  type ListField,
  readListFields,
} from "../custom-fields/list-fields.ts";
import { get, type Route } from "../http/define-route.ts";
import type { AccountHandler } from "../http/handler.ts";
import type { Services } from "../services.ts";
import { apiFiltersOf, readListQuery } from "../shipments/list-query.ts";
import { shownColumns as shownShipmentColumns } from "../shipments/list-row.ts";
import { readerZone } from "../times/reader-zone.ts";
import { containerDisplayCells, shipmentDisplayCells } from "./display-cells.ts";
import { hasVisibleColumnsOnly } from "./export-menu.ts";
import { containerFileColumns, shipmentFileColumns } from "./file-columns.ts";
import { headings } from "./headings.ts";
import { moneyCells } from "./money-columns.ts";
import { sendRows } from "./send-rows.ts";

/** The custom fields of a file: those that the list shows, or all. */
async function readFileFields(
  request: Request,
  api: ApiCaller["api"],
  owner: "shipments" | "containers",
  query: { readonly columns: readonly string[] },
): Promise<readonly ListField[]> {
  if (hasVisibleColumnsOnly(request) && chosenSlugs(query.columns).length === 0) return [];
  const fields = await readListFields(api, owner);
  return hasVisibleColumnsOnly(request) ? chosenFields(query, fields) : fields;
}

const slugsOf = (fields: readonly ListField[]): readonly string[] => fields.map(({ slug }) => slug);

/** The columns of a file, those of custom fields last. */
function withFields(columns: readonly string[], fields: readonly ListField[]) {
  const custom = fieldFileColumns(fields);
  return {
    columns: [...columns, ...custom.columns],
    headings: { ...headings, ...custom.headings },
    formats: custom.formats,
  };
}

/**
 * `/shipments.csv`, `/containers.csv` and both as `.xlsx`: all rows of the list as its page filters and sorts it.
 * `?file=shown`: with the columns of the page, in its words and on its clocks.
 */
export function exportRoutes({ clock }: Pick<Services, "clock">): readonly Route[] {
  const sendShipments: AccountHandler = async (request, response, { api }) => {
    const query = readListQuery(request.query);
    const [zone, now] = [readerZone(), clock.now()];
    const fields = await readFileFields(request, api, "shipments", query);
    const filter = apiFiltersOf(query, now);
    const rows = await api.exports.shipmentOverviews({ filter, sort: query.sort, customFields: slugsOf(fields) });
    const columns = shipmentFileColumns(hasVisibleColumnsOnly(request) ? shownShipmentColumns(query) : null);
    async function* fileRows() {
      for await (const row of rows) {
        yield { ...row, ...shipmentDisplayCells(row, zone, now), ...customFieldCells(row.custom_fields) };
      }
    }
    await sendRows(request, response, { ...withFields(columns, fields), name: "shipments", rows: fileRows() });
  };

  const sendContainers: AccountHandler = async (request, response, { api }) => {
    const query = readContainerQuery(request.query);
    const [zone, now] = [readerZone(), clock.now()];
    const fields = await readFileFields(request, api, "containers", query);
    const rows = await api.exports.containerOverviews({
      filter: containerFiltersOf(query),
      sort: sortText(query),
      customFields: slugsOf(fields),
    });
    const columns = containerFileColumns(hasVisibleColumnsOnly(request) ? shownContainerColumns(query) : null);
    async function* fileRows() {
      for await (const row of rows) {
        const displayCells = containerDisplayCells(row, zone, now);
        yield { ...row, ...moneyCells(row), ...displayCells, ...customFieldCells(row.custom_fields) };
      }
    }
    await sendRows(request, response, { ...withFields(columns, fields), name: "containers", rows: fileRows() });
  };

  return [
    get("/shipments.csv", "account", sendShipments),
    get("/shipments.xlsx", "account", sendShipments),
    get("/containers.csv", "account", sendContainers),
    get("/containers.xlsx", "account", sendContainers),
  ];
}
