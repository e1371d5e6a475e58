import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { partnerNames } from "@svc/edi";
import { documentOf } from "@svc/jsonapi/documents";
import { EdiFileResource, ediFileResource } from "@svc/jsonapi/edi-files";
import { z } from "zod";
import { tooManyMessagesWait } from "../carrier-events/receive-carrier-events.ts";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { oneResource } from "../http/replies.ts";

const compress = promisify(gzip);
const tag = "EDI files";
const query = { type: "edi_file" } as const;
const params = { id: { of: "EDI file", kind: "uuid", description: "The file's id." } } as const;

/** A lone surrogate has no bytes: it would be stored as another character. */
const wellFormed = z.string().refine((value) => value.isWellFormed(), "must be well-formed Unicode");

const ediBody = z.strictObject({
  content: wellFormed
    .regex(/^\uFEFF?\s*(?:ISA|UNA|UNB)/, "must begin with ISA (X12), UNA or UNB (EDIFACT)")
    .max(1_000_000)
    .describe("The file's text."),
  name: wellFormed
    .regex(/\S/, "must not be empty")
    .regex(/^\P{Cc}+$/u, "must be a name without control characters")
    .max(250)
    .optional(),
  partner: z
    .enum(partnerNames as [string, ...string[]])
    .default("standard")
    .describe("Whose codes it has."),
  scac: z
    .string()
    .regex(/^[A-Z]{4}$/, "must be four capital letters")
    .optional()
    .describe("The carrier where a message names none."),
});

const createFile = defineRoute({
  method: "post",
  path: "/edi_files",
  operationId: "createEdiFile",
  summary: "Send an EDI file",
  description:
    "X12 315, 322 and 301, EDIFACT IFTSTA, CODECO and COARRI. The file is stored, then read and applied within seconds: `status` gives the outcome. A file with the same content is stored once, keeps its id and is applied again.",
  tag,
  scope: "write",
  request: { query, body: { plain: ediBody } },
  responses: { 202: { description: "Stored; it is read within seconds.", schema: documentOf(EdiFileResource) } },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const bytes = Buffer.from(body.content);
    const file = await services.ediFiles.store(caller.accountId, {
      id: services.ids.next(),
      name: body.name ?? null,
      source: "api",
      partner: body.partner,
      scac: body.scac ?? null,
      receivedAt: services.clock.now(),
      sizeBytes: bytes.byteLength,
      contentHash: createHash("sha256").update(bytes).digest(),
      gzippedBody: await compress(bytes),
    });
    if (file === null) throw tooManyMessagesWait();
    const resource = ediFileResource(file, services.settings.baseUrl);
    return { status: 202, document: await oneResource(exchange, resource), headers: { Location: resource.links.self } };
  },
});

const getFile = defineRoute({
  method: "get",
  path: "/edi_files/{id}",
  operationId: "getEdiFile",
  summary: "Get an EDI file",
  description:
    "The outcome of the file: counts, faults with their line, codes without a meaning, and its acknowledgement.",
  tag,
  scope: "read",
  request: { params, query },
  responses: { 200: { description: "The file.", schema: documentOf(EdiFileResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const file = found("EDI file", params.id, await services.ediFiles.find(caller.accountId, params.id));
    return { status: 200, document: await oneResource(exchange, ediFileResource(file, services.settings.baseUrl)) };
  },
});

export const ediFileRoutes = [createFile, getFile];
