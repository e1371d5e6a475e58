import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  type ImportedEvent,
  type ImportFault,
  importColumns,
  importRowsMax,
  readEventImport,
} from "@svc/domain/event-imports";
import { numberForms } from "@svc/domain/identifiers";
import { type Fault, TrackingError } from "@svc/jsonapi";
import { documentSchema } from "@svc/jsonapi/documents";
import { EventImportResource, eventImportResource } from "@svc/jsonapi/event-imports";
import type { CarrierNumber } from "@svc/persistence/event-messages";
import { z } from "zod";
import { tooManyMessagesWait } from "../event-messages/receive-carrier-events.ts";
import { defineRoute } from "../http/define-route.ts";
import { recordDocument } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";

const compress = promisify(gzip);
const tag = "Event imports";
const query = { type: "event_import" } as const;
const params = { id: { of: "event import", kind: "uuid", description: "The import's id." } } as const;
/** Maximum number of listed faults: further ones would repeat them. */
const faultsMax = 100;

/** Leave out what is not known: an empty text is no value. */
const text = z.string().regex(/\S/, "must not be empty").max(250);

const Row = z
  .strictObject(Object.fromEntries(importColumns.map((column) => [column, text.optional()])))
  .describe(
    "scac, number, event_code, classifier and event_time are required, and container_number for what happens to a container.",
  );

/** One of both. A CSV text has the names of the columns in its first line. */
const importBody = z.strictObject({
  rows: z.array(Row).min(1).max(importRowsMax).optional(),
  csv: z.string().min(1).max(1_000_000).optional(),
});

function refusal(faults: readonly ImportFault[], isCsv: boolean): TrackingError {
  const listedFaults = faults.slice(0, faultsMax).map(({ row, column, detail }): Fault => {
    const place = isCsv && row !== null ? `Row ${row}: ` : "";
    const pointer = isCsv ? "/csv" : `/rows${row === null ? "" : `/${row - 1}`}${column === null ? "" : `/${column}`}`;
    return {
      code: "invalid",
      detail: `${place}${detail}`,
      source: { pointer },
      ...(row !== null && { meta: { row, ...(column !== null && { column }) } }),
    };
  });
  return new TrackingError(listedFaults as [Fault, ...Fault[]]);
}

/** Rows whose number this account does not track at this carrier, or not any more. */
async function untracked(
  services: Services,
  accountId: string,
  events: readonly ImportedEvent[],
): Promise<ImportFault[]> {
  const carrierNumbers = events.flatMap(({ scac, number }) =>
    numberForms(number, scac).map((form) => ({ scac, number: form })),
  );
  const found = await services.findSubjectsByNumber(accountId, carrierNumbers);
  const keyOf = ({ scac, number }: CarrierNumber) => `${scac} ${number}`;
  const known = new Set(found.map(keyOf));
  const live = new Set(found.filter(({ isLive }) => isLive).map(keyOf));
  return events.flatMap(({ row, scac, number }): ImportFault[] => {
    const keys = numberForms(number, scac).map((form) => keyOf({ scac, number: form }));
    if (keys.some((key) => live.has(key))) return [];
    const detail = keys.some((key) => known.has(key))
      ? `${number} at ${scac} is no longer tracked. Resume its shipment or create a tracking request, then send the file again.`
      : `Nothing of this account is tracked under ${number} at ${scac}. Create a tracking request for it first.`;
    return [{ row, column: "number", detail }];
  });
}

const createImport = defineRoute({
  method: "post",
  path: "/event_imports",
  operationId: "createEventImport",
  summary: "Import events",
  description:
    "Imports events of carriers without an API, as JSON (`rows`) or a CSV text (`csv`). A file is accepted whole or not at all: errors name their rows. Events that are known already change nothing. Repeating a file applies it again and returns the first import, so rows that were not tracked before are applied once they are.",
  tag,
  scope: "write",
  action: "track",
  request: { query, body: { plain: importBody } },
  responses: {
    202: {
      description: "The import is stored, and applied within seconds.",
      schema: documentSchema(EventImportResource),
    },
  },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const isCsv = body.csv !== undefined;
    if (isCsv === (body.rows !== undefined)) {
      throw TrackingError.of("invalid", "Send either rows or csv.", {
        source: { pointer: isCsv ? "/csv" : "/rows" },
      });
    }
    const text = body.csv ?? JSON.stringify({ rows: body.rows });
    const form = isCsv ? "csv" : "json";
    const read = readEventImport(form, text);
    if ("faults" in read) throw refusal(read.faults, isCsv);
    const unknown = await untracked(services, caller.accountId, read.events);
    if (unknown.length > 0) throw refusal(unknown, isCsv);
    const state = await services.eventImports.store(caller.accountId, {
      id: services.ids.next(),
      channel: "import",
      connectionId: null,
      scac: "",
      form,
      receivedAt: services.clock.now(),
      contentHash: createHash("sha256").update(text).digest(),
      gzippedBody: await compress(text),
    });
    if (state === null) throw tooManyMessagesWait();
    const resource = eventImportResource(state, services.settings.baseUrl);
    return {
      status: 202,
      document: await recordDocument(exchange, resource),
      headers: { Location: resource.links.self },
    };
  },
});

const getImport = defineRoute({
  method: "get",
  path: "/event_imports/{id}",
  operationId: "getEventImport",
  summary: "Get an event import",
  description: "Returns the status of the import, and the counts of applied and skipped events once it is processed.",
  tag,
  scope: "read",
  request: { params, query },
  responses: { 200: { description: "The import.", schema: documentSchema(EventImportResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const state = requireFound(
      "event import",
      params.id,
      await services.eventImports.find(caller.accountId, params.id),
    );
    return {
      status: 200,
      document: await recordDocument(exchange, eventImportResource(state, services.settings.baseUrl)),
    };
  },
});

export const eventImportRoutes = [createImport, getImport];
