import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { ediFileSources, ediFileStatuses, type ListedEdiFile } from "@svc/domain/edi-files";
import { beginsAsEdi, ediBytesMax } from "@svc/edi";
import { TrackingError } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  EdiFileResource,
  ediFileResource,
  ediPartnerNames,
  ListedEdiFileResource,
  listedEdiFileResource,
} from "@svc/jsonapi/edi-files";
import { bytesMediaType } from "@svc/jsonapi/http";
import { booleanFlag, enumList, enumValue, freeTexts, oneText, type QueryDefinition } from "@svc/jsonapi/query";
import { z } from "zod";
import { tooManyMessagesWait } from "../event-messages/receive-carrier-events.ts";
import { defineRoute } from "../http/define-route.ts";
import { defineRecord, findRecord, getRoute } from "../http/record-routes.ts";
import { listReply, recordDocument } from "../http/replies.ts";

const compress = promisify(gzip);
const uncompress = promisify(gunzip);
const tag = "EDI files";
const type = "edi_file";

const sendFile = defineRoute({
  method: "post",
  path: "/edi",
  operationId: "sendEdiFile",
  summary: "Send an EDI file",
  description:
    "Stores and applies a file in X12 315, 322 or 301, or EDIFACT IFTSTA, CODECO or COARRI. The body is the file " +
    "itself, up to 20 MiB, stored byte by byte. It is applied within seconds: `status` of the file gives the " +
    "outcome. A file with the same bytes is stored once, keeps its id and is applied again.",
  tag,
  scope: "write",
  action: "exchange_edi",
  request: {
    query: {
      type,
      parameters: {
        partner: {
          ...enumValue("partner", "Partner profile with the codes of the file. Default: standard.", ediPartnerNames),
          required: false,
        },
        scac: {
          name: "scac",
          description: "Carrier of messages that name none.",
          schema: { type: "string", pattern: "^[A-Z]{4}$" },
          read: (text: string) =>
            /^[A-Z]{4}$/.test(text) ? { value: text } : { problem: "takes four capital letters" },
        },
        name: oneText("name", "Name of the file.", { maxLength: 250 }),
      },
    },
    body: {
      bytes: { mediaTypes: ["application/edi-x12", "application/edifact", "text/plain"], maxBytes: ediBytesMax },
    },
  },
  responses: {
    202: { description: "The file is stored, and read within seconds.", schema: documentSchema(EdiFileResource) },
  },
  async handle(exchange) {
    const { services, caller, query, body } = exchange;
    if (!beginsAsEdi(body)) {
      const detail = "The body must be an EDI file: it begins with ISA (X12), UNA or UNB (EDIFACT).";
      throw TrackingError.of("invalid", detail, { source: { pointer: "" } });
    }
    const { partner = "standard", scac = null, name = null } = query.parameters;
    const file = await services.ediFiles.store(caller.accountId, {
      id: services.ids.next(),
      name,
      source: "api",
      partner,
      scac,
      receivedAt: services.clock.now(),
      sizeBytes: body.byteLength,
      contentHash: createHash("sha256").update(body).digest(),
      gzippedBody: await compress(body),
    });
    if (file === null) throw tooManyMessagesWait();
    const resource = ediFileResource(file, services.settings.baseUrl);
    return {
      status: 202,
      document: await recordDocument(exchange, resource),
      headers: { Location: resource.links.self },
    };
  },
});

const record = defineRecord({
  type,
  tag,
  path: "/edi_files/{id}",
  params: { id: { of: "EDI file", kind: "uuid", description: "The file's id." } },
  shown: { description: "The file.", schema: documentSchema(EdiFileResource) },
  find: ({ ediFiles }, { accountId }, { id }) => ediFiles.find(accountId, id),
  resource: () => ediFileResource,
});

const getFile = getRoute(record, {
  operationId: "getEdiFile",
  summary: "Get an EDI file",
  description:
    "Returns the outcome of the file: counts, faults with their line, codes without a meaning, and its acknowledgement.",
});

const listFiles = defineRoute({
  method: "get",
  path: "/edi_files",
  operationId: "listEdiFiles",
  summary: "List EDI files",
  description:
    "Lists files with their counts. A single file also has its faults, codes without a meaning, notes and acknowledgement. Files are kept for 90 days unless configured.",
  tag,
  scope: "read",
  request: {
    query: {
      type,
      list: { sortKeys: { created_at: "instant" } },
      parameters: {
        status: enumList("filter[status]", "Status of the file.", ediFileStatuses),
        source: enumList("filter[source]", "Channel by which the file was received.", ediFileSources),
        partner: enumList("filter[partner]", "Partner profile that it is read with.", ediPartnerNames),
        sender: freeTexts("filter[sender]", "Sender of the first interchange, exact."),
        hasFaults: booleanFlag("filter[has_faults]", "Whether something could not be read."),
      },
    } as const satisfies QueryDefinition,
  },
  responses: { 200: { description: "A page of files, newest first.", schema: pageSchema(ListedEdiFileResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    return listReply<ListedEdiFile>(exchange, {
      path: "/edi_files",
      page: await services.ediFiles.list(caller.accountId, query.parameters, query.page),
      resource: listedEdiFileResource,
      sortValues: { created_at: ({ receivedAt }) => receivedAt },
    });
  },
});

/** A file name that is plain in a header; the id where the file has none. */
const plainName = (name: string | null, id: string): string =>
  (name ?? `${id}.edi`).replaceAll(/[^\w.-]/g, "_").replace(/^\.+/, "");

async function* decompress(gzipped: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await uncompress(gzipped);
}

const getContent = defineRoute({
  method: "get",
  path: "/edi_files/{id}/content",
  operationId: "getEdiFileContent",
  summary: "Download an EDI file",
  description: "Returns the bytes as they were received. Not found for a file that was rejected as too large.",
  tag,
  scope: "read",
  mediaTypes: [bytesMediaType],
  streams: "bytes",
  request: { params: record.params, query: {} },
  responses: { 200: { description: "The file's bytes.", schema: z.string() } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const { id, name } = await findRecord(record, exchange);
    const gzipped = await services.ediFiles.gzippedContent(caller.accountId, params.id);
    if (gzipped === null) {
      throw TrackingError.of("not_found", "The bytes of this file were not stored: it was too large.");
    }
    return {
      status: 200,
      stream: decompress(gzipped),
      headers: {
        "Content-Type": bytesMediaType,
        "Content-Disposition": `attachment; filename="${plainName(name, id)}"`,
      },
    };
  },
});

export const ediFileRoutes = [sendFile, listFiles, getFile, getContent];
