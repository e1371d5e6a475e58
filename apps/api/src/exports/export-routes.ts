import { TrackingError } from "@svc/jsonapi";
import {
  ContainerExportRow,
  containerExportRow,
  csvLine,
  decodeExportCursor,
  encodeExportCursor,
  exportParameters,
  ShipmentExportRow,
  shipmentExportRow,
  TransportEventExportRow,
  transportEventExportRow,
} from "@svc/jsonapi/exports";
import { csvMediaType, jsonLinesMediaType } from "@svc/jsonapi/http";
import type { ChangeRange, ExportReader } from "@svc/persistence/exports";
import type { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";

interface Exported<Item> {
  /** As in the path and in the names of operations. */
  readonly resource: string;
  readonly operationId: string;
  readonly schema: z.ZodObject;
  readonly batches: (reader: ExportReader, accountId: string, range: ChangeRange) => AsyncIterable<readonly Item[]>;
  readonly row: (item: Item) => Readonly<Record<string, unknown>>;
}

const query = { parameters: exportParameters } as const;

/** Read before the first transaction of a server. */
const beginning = "0";

/** The lines of an export, a batch at a time; the next batch is read when the client has taken the previous one. */
async function* linesOf(
  batches: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>,
  columns: readonly string[],
  isCsv: boolean,
): AsyncGenerator<string, void, undefined> {
  if (isCsv) yield csvLine(columns);
  for await (const rows of batches) {
    yield rows
      .map((row) => (isCsv ? csvLine(columns.map((column) => row[column])) : `${JSON.stringify(row)}\n`))
      .join("");
  }
}

async function* rowsOf<Item>(
  batches: AsyncIterable<readonly Item[]>,
  row: (item: Item) => Readonly<Record<string, unknown>>,
) {
  for await (const items of batches) yield items.map(row);
}

const exportRoute = <Item>({ resource, operationId, schema, batches, row }: Exported<Item>): Route =>
  defineRoute({
    method: "get",
    path: `/exports/${resource}`,
    operationId,
    summary: `Export ${resource.replace("_", " ")}`,
    description:
      "All records, or those that changed since the cursor of an earlier export, each once in its present state, in the " +
      "order of their last change. Streamed as JSON Lines, or as CSV with a header line. Store the `Export-Cursor` header " +
      "once the response is complete, and send it as `since` of the next export. A response that ends early is not complete: " +
      "repeat it with the same `since`. Load rows by `id`: a record that changes again is exported again. No record is deleted. " +
      "An account can run three exports at once; another one is 429 with `Retry-After`.",
    tag: "Exports",
    scope: "read",
    mediaTypes: [jsonLinesMediaType, csvMediaType],
    streams: "rows",
    request: { query },
    responses: { 200: { description: "One row per record: a JSON object per line, or a CSV line.", schema } },
    async handle({ services: { exports }, caller: { accountId }, query: { parameters }, mediaType }) {
      const until = await exports.findEnd(accountId);
      const since = parameters.since === undefined ? beginning : decodeExportCursor(parameters.since);
      if (since === null || BigInt(since) > BigInt(until)) {
        throw TrackingError.of(
          "invalid_parameter",
          "since takes the Export-Cursor of an earlier export from this service. Omit it to export all records.",
          { source: { parameter: "since" } },
        );
      }
      const isCsv = parameters.format === undefined ? mediaType === csvMediaType : parameters.format === "csv";
      const rows = rowsOf(batches(exports, accountId, { since, until }), row);
      return {
        status: 200,
        stream: linesOf(rows, Object.keys(schema.shape), isCsv),
        headers: {
          "Content-Type": isCsv ? `${csvMediaType}; charset=utf-8; header=present` : jsonLinesMediaType,
          "Content-Disposition": `attachment; filename="${resource}.${isCsv ? "csv" : "jsonl"}"`,
          "Export-Cursor": encodeExportCursor(until),
        },
      };
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
];
