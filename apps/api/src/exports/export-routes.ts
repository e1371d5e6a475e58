import type { CustomFieldEntityType } from "@svc/domain/custom-fields";
import { TrackingError } from "@svc/jsonapi";
import {
  ContainerExportRow,
  ContainerOverviewExportRow,
  containerExportRow,
  csvLine,
  customFieldCells,
  customFieldColumns,
  decodeExportCursor,
  encodeExportCursor,
  exportParameters,
  overviewColumns,
  ShipmentExportRow,
  ShipmentOverviewExportRow,
  shipmentExportRow,
  TransportEventExportRow,
  transportEventExportRow,
} from "@svc/jsonapi/exports";
import { csvMediaType, jsonLinesMediaType } from "@svc/jsonapi/http";
import { containerOverviewResource, type OverviewCustomField, shipmentOverviewResource } from "@svc/jsonapi/overviews";
import { enumValue } from "@svc/jsonapi/query";
import type { ChangeRange, ExportReader } from "@svc/persistence/exports";
import type { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";
import {
  containerFilters,
  containerSortKeys,
  findContainers,
  findShipments,
  shipmentFilters,
  shipmentSortKeys,
} from "../overviews/overview-parameters.ts";
import { customFields, findDefinedSlugs, readCustomFields } from "../overviews/read-custom-fields.ts";
import type { Services } from "../services.ts";
import { shipmentEmissions } from "./shipment-emissions.ts";

type Row = Readonly<Record<string, unknown>> & { readonly custom_fields?: readonly OverviewCustomField[] | undefined };

interface Exported<Item> {
  /** Name of the resource in the path, the summary and the file name. */
  readonly resource: string;
  readonly operationId: string;
  readonly schema: z.ZodObject;
  readonly batches: (reader: ExportReader, accountId: string, range: ChangeRange) => AsyncIterable<readonly Item[]>;
  readonly row: (item: Item) => Row;
}

const query = { parameters: exportParameters } as const;
const { format } = exportParameters;

type Sorted<Key extends string> = Key | `-${Key}`;

const sortParameter = <Key extends string>(keys: Readonly<Record<Key, unknown>>) => {
  const values = (Object.keys(keys) as Key[]).flatMap((key): Sorted<Key>[] => [key, `-${key}`]);
  return { ...enumValue("sort", "Sort key, descending with `-`. Default: -created_at.", values), required: false };
};

const toOrder = <Key extends string>(sort: Sorted<Key>) => ({
  sortBy: sort.replace("-", "") as Key,
  descending: sort.startsWith("-"),
});

/** Read before the first transaction of a server. */
const startPosition = "0";

/** The lines of an export, a batch at a time; the next batch is read when the client has taken the previous one. */
type Lines = AsyncGenerator<string, void, undefined>;

async function* jsonLines(batches: AsyncIterable<readonly Row[]>): Lines {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

async function* csvLines(batches: AsyncIterable<readonly Row[]>, columns: readonly string[]): Lines {
  const csvRow = (row: Row): string => {
    const cells: Row = { ...row, ...customFieldCells(row.custom_fields) };
    return csvLine(columns.map((column) => cells[column]));
  };
  yield csvLine(columns);
  for await (const rows of batches) yield rows.map(csvRow).join("");
}

async function* mapRows<Item>(batches: AsyncIterable<readonly Item[]>, row: (item: Item) => Row) {
  for await (const items of batches) yield items.map(row);
}

interface RequestedFormat {
  readonly format: "csv" | "jsonl" | undefined;
  /** The format that the Accept header prefers; used when the request names no format. */
  readonly mediaType: string;
}

const prefersCsv = ({ format, mediaType }: RequestedFormat): boolean =>
  format === undefined ? mediaType === csvMediaType : format === "csv";

/** The columns of the named custom fields, which only CSV has. */
async function fieldColumns(
  services: Services,
  accountId: string,
  entityType: CustomFieldEntityType,
  { apiSlugs, ...requested }: RequestedFormat & { readonly apiSlugs: readonly string[] | undefined },
): Promise<readonly string[]> {
  if (apiSlugs === undefined || !prefersCsv(requested)) return [];
  return customFieldColumns(await findDefinedSlugs(services, accountId, entityType, apiSlugs));
}

/** The rows as a file in the format that the request prefers. */
function rowsReply(
  options: RequestedFormat & {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: AsyncIterable<readonly Row[]>;
  },
) {
  const { name, columns, rows } = options;
  const isCsv = prefersCsv(options);
  return {
    status: 200,
    stream: isCsv ? csvLines(rows, columns) : jsonLines(rows),
    headers: {
      "Content-Type": isCsv ? `${csvMediaType}; charset=utf-8; header=present` : jsonLinesMediaType,
      "Content-Disposition": `attachment; filename="${name}.${isCsv ? "csv" : "jsonl"}"`,
    },
  } as const;
}

const exportRoute = <Item>({ resource, operationId, schema, batches, row }: Exported<Item>): Route =>
  defineRoute({
    method: "get",
    path: `/exports/${resource}`,
    operationId,
    summary: `Export ${resource.replace("_", " ")}`,
    description:
      "Exports all records, or those that changed since the cursor of an earlier export, each once in its current " +
      "state, in the order of their last change. Streamed as JSON Lines, or as CSV with a header line. Store the " +
      "`Export-Cursor` header once the response is complete, and send it as `since` of the next export. A " +
      "response that ends early is not complete: repeat it with the same `since`. Load rows by `id`: a record " +
      "that changes again is exported again. No record is deleted. An account can run three concurrent exports and downloads in each process of the API; " +
      "further requests get 429 with `Retry-After`.",
    tag: "Exports",
    scope: "read",
    mediaTypes: [jsonLinesMediaType, csvMediaType],
    streams: "changes",
    request: { query },
    responses: { 200: { description: "One row per record: a JSON object per line, or a CSV line.", schema } },
    async handle({ services: { exports }, caller: { accountId }, query: { parameters }, mediaType }) {
      const until = await exports.findEnd(accountId);
      const since = parameters.since === undefined ? startPosition : decodeExportCursor(parameters.since);
      if (since === null || BigInt(since) > BigInt(until)) {
        throw TrackingError.of(
          "invalid_parameter",
          "since takes the Export-Cursor of an earlier export from this service. Omit it to export all records.",
          { source: { parameter: "since" } },
        );
      }
      const rows = mapRows(batches(exports, accountId, { since, until }), row);
      const reply = rowsReply({
        name: resource,
        columns: Object.keys(schema.shape),
        rows,
        format: parameters.format,
        mediaType,
      });
      return { ...reply, headers: { ...reply.headers, "Export-Cursor": encodeExportCursor(until) } };
    },
  });

const exportedList = {
  method: "get",
  tag: "Exports",
  scope: "read",
  mediaTypes: [jsonLinesMediaType, csvMediaType],
  streams: "rows",
  description:
    "Exports all rows of the list with its filters and sort keys, streamed as JSON Lines, or as CSV with a header " +
    "line. A response that ends early is not complete. An account can run three concurrent exports and downloads in each process of the API; further " +
    "requests get 429 with `Retry-After`.",
} as const;

const exportShipmentOverviews = defineRoute({
  ...exportedList,
  path: "/exports/shipment_overviews",
  operationId: "exportShipmentOverviews",
  summary: "Export shipment overviews",
  request: {
    query: { parameters: { ...shipmentFilters, customFields, format, sort: sortParameter(shipmentSortKeys) } } as const,
  },
  responses: { 200: { description: "One row per shipment.", schema: ShipmentOverviewExportRow } },
  async handle({ services, caller: { accountId }, query: { parameters }, mediaType }) {
    const { format, sort, customFields: apiSlugs, ...given } = parameters;
    const { filters } = await findShipments(given, services, accountId);
    const order = toOrder(sort ?? "-created_at");
    const batches = services.shipmentOverviews.batches(accountId, filters, order, services.clock.now());
    async function* rows() {
      const emissions = await shipmentEmissions(services, accountId);
      for await (const overviews of batches) {
        const findEmissions = await emissions(overviews.map(({ id }) => id));
        const fieldsOf = await readCustomFields(services, accountId, overviews, apiSlugs);
        yield overviews.map((overview) => ({
          id: overview.id,
          ...shipmentOverviewResource(overview).attributes,
          ...findEmissions(overview.id),
          ...fieldsOf(overview.id),
        }));
      }
    }
    const ofFields = await fieldColumns(services, accountId, "Shipment", { apiSlugs, format, mediaType });
    const columns = [...overviewColumns(ShipmentOverviewExportRow), ...ofFields];
    return rowsReply({ name: "shipments", columns, rows: rows(), format, mediaType });
  },
});

const exportContainerOverviews = defineRoute({
  ...exportedList,
  path: "/exports/container_overviews",
  operationId: "exportContainerOverviews",
  summary: "Export container overviews",
  request: {
    query: {
      parameters: { ...containerFilters, customFields, format, sort: sortParameter(containerSortKeys) },
    } as const,
  },
  responses: { 200: { description: "One row per container.", schema: ContainerOverviewExportRow } },
  async handle({ services, caller: { accountId }, query: { parameters }, mediaType }) {
    const { format, sort, customFields: apiSlugs, ...given } = parameters;
    const { filters } = await findContainers(given, services, accountId);
    const order = toOrder(sort ?? "-created_at");
    const batches = services.containerOverviews.batches(accountId, filters, order, services.clock.now());
    async function* rows() {
      for await (const overviews of batches) {
        const fieldsOf = await readCustomFields(services, accountId, overviews, apiSlugs);
        yield overviews.map((overview) => ({
          id: overview.id,
          ...containerOverviewResource(overview).attributes,
          ...fieldsOf(overview.id),
        }));
      }
    }
    const ofFields = await fieldColumns(services, accountId, "Container", { apiSlugs, format, mediaType });
    const columns = [...overviewColumns(ContainerOverviewExportRow), ...ofFields];
    return rowsReply({ name: "containers", columns, rows: rows(), format, mediaType });
  },
});

export const exportRoutes: readonly Route[] = [
  exportRoute({
    resource: "shipments",
    operationId: "exportShipments",
    schema: ShipmentExportRow,
    batches: (reader, accountId, range) => reader.shipments(accountId, range),
    row: shipmentExportRow,
  }),
  exportRoute({
    resource: "containers",
    operationId: "exportContainers",
    schema: ContainerExportRow,
    batches: (reader, accountId, range) => reader.containers(accountId, range),
    row: containerExportRow,
  }),
  exportRoute({
    resource: "transport_events",
    operationId: "exportTransportEvents",
    schema: TransportEventExportRow,
    batches: (reader, accountId, range) => reader.transportEvents(accountId, range),
    row: transportEventExportRow,
  }),
  exportShipmentOverviews,
  exportContainerOverviews,
];
