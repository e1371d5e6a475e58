import type {
  ContainerExportRow,
  ContainerOverviewExportRow,
  ShipmentExportRow,
  ShipmentOverviewExportRow,
  TransportEventExportRow,
} from "@svc/jsonapi/exports";
import { SvcError } from "../errors.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import {
  customFieldsQuery,
  type OverviewCustomFields,
  type OverviewFilters,
  overviewQuery,
  type ShipmentOverviewFilters,
} from "./overviews.ts";
import type { Reader } from "./reader.ts";

export interface ExportRows {
  readonly shipments: ShipmentExportRow;
  readonly containers: ContainerExportRow;
  readonly transport_events: TransportEventExportRow;
}

export interface ExportParameters {
  /** Cursor of an earlier export; omitted: all records. */
  readonly since?: string | undefined;
}

export interface Export<Item> {
  /** `since` of the next export. Store it after the last item was read. */
  readonly cursor: string;
  /** Read from the connection as the loop proceeds; throws NetworkError when the response ends early. */
  readonly items: AsyncGenerator<Item, void, undefined>;
}

async function* decodeText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
}

async function* parseRows<Row>(text: AsyncIterable<string>): AsyncGenerator<Row, void, undefined> {
  let rest = "";
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Row;
  }
}

export interface ListExportParameters<Filters extends OverviewFilters = OverviewFilters> extends OverviewCustomFields {
  readonly filter?: Filters | undefined;
  /** Sort key of the list, for example `-created_at`. */
  readonly sort?: string | undefined;
}

/**
 * Records that changed since a cursor, for loading a data warehouse, and all rows of a list; streamed, so that memory
 * stays flat.
 */
export function exportsResource(reader: Pick<Reader<Format>, "send">) {
  /** `timeoutMs` limits the wait for the first byte, not the export. */
  const text = async (
    resource: keyof ExportRows,
    format: "csv" | "jsonl",
    { since }: ExportParameters = {},
    options?: CallOptions,
  ): Promise<Export<string>> => {
    const request = { method: "GET", path: `/exports/${resource}`, query: { format, since }, options } as const;
    const { headers, body } = await reader.send({ ...request, streams: true });
    const cursor = headers.get("export-cursor");
    if (cursor === null) {
      throw new SvcError("The response is not an export. Check that baseUrl is the address of the API.");
    }
    return { cursor, items: decodeText(body as AsyncIterable<Uint8Array>) };
  };
  const rows = async <Resource extends keyof ExportRows>(
    resource: Resource,
    parameters: ExportParameters | undefined,
    options: CallOptions | undefined,
  ): Promise<Export<ExportRows[Resource]>> => {
    const { cursor, items } = await text(resource, "jsonl", parameters, options);
    return { cursor, items: parseRows<ExportRows[Resource]>(items) };
  };
  /** Rows of a list; throws NetworkError when the response ends early. */
  const list = async <Row>(
    path: string,
    { filter, sort, ...others }: ListExportParameters = {},
    options?: CallOptions,
  ): Promise<AsyncGenerator<Row, void, undefined>> => {
    const query = { ...overviewQuery(filter), ...customFieldsQuery(others), sort, format: "jsonl" };
    const { body } = await reader.send({ method: "GET", path, query, options, streams: true });
    return parseRows<Row>(decodeText(body as AsyncIterable<Uint8Array>));
  };
  return {
    shipments: (parameters?: ExportParameters, options?: CallOptions) => rows("shipments", parameters, options),
    containers: (parameters?: ExportParameters, options?: CallOptions) => rows("containers", parameters, options),
    transportEvents: (parameters?: ExportParameters, options?: CallOptions) =>
      rows("transport_events", parameters, options),
    shipmentOverviews: (parameters?: ListExportParameters<ShipmentOverviewFilters>, options?: CallOptions) =>
      list<ShipmentOverviewExportRow>("/exports/shipment_overviews", parameters, options),
    containerOverviews: (parameters?: ListExportParameters, options?: CallOptions) =>
      list<ContainerOverviewExportRow>("/exports/container_overviews", parameters, options),
    text,
  };
}
