import { documentOf, pageOf } from "@svc/jsonapi/documents";
import {
  createEmissionFactorDocument,
  EmissionFactorResource,
  editEmissionFactorDocument,
  emissionFactorResource,
} from "@svc/jsonapi/emissions";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { defineRecord, deleteRoute, getRoute, listRoute } from "../http/record-routes.ts";
import { checkWritten, createdReply, oneReply } from "../http/replies.ts";
import { createFactorReader } from "./factor-settings.ts";
import { importEmissionFactors } from "./import-emission-factors.route.ts";
import { refuseCollision, writeFactors } from "./write-factors.ts";

const type = "emission_factor";
const tag = "Emissions";

const record = defineRecord({
  type,
  tag,
  path: "/emission_factors/{id}",
  params: { id: { of: "emission factor", kind: "uuid", description: "The factor's id." } },
  shown: { description: "The emission factor.", schema: documentOf(EmissionFactorResource) },
  find: ({ emissionFactors }, accountId, { id }) => emissionFactors.find(accountId, id),
  resource: () => emissionFactorResource,
});

const list = listRoute(record, {
  path: "/emission_factors",
  operationId: "listEmissionFactors",
  summary: "List emission factors",
  query: { type, list: { sortKeys: { created_at: "instant" } } },
  page: { description: "A page of emission factors, newest first.", schema: pageOf(EmissionFactorResource) },
  list: ({ emissionFactors }, accountId, { page }) => emissionFactors.list(accountId, page),
});

const create = defineRoute({
  method: "post",
  path: "/emission_factors",
  operationId: "createEmissionFactor",
  summary: "Create an emission factor",
  description:
    "Adds grams of CO2 equivalent per TEU and km from a source of your own; the service has no factors. The most specific factor " +
    "applies to a leg: first by vessel, then carrier, lane and equipment. docs/emissions.md.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { query: { type }, body: { document: createEmissionFactorDocument } },
  responses: { 201: record.shown },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const factor = await createFactorReader(services)(body.attributes, null);
    const [created] = await writeFactors(services, caller.accountId, [factor]);
    if (created === undefined) throw new Error("The insertion returned no emission factor.");
    return createdReply(exchange, created, emissionFactorResource);
  },
});

const get = getRoute(record, { operationId: "getEmissionFactor", summary: "Get an emission factor" });

const edit = defineRoute({
  method: "patch",
  path: record.path,
  operationId: "editEmissionFactor",
  summary: "Update an emission factor",
  description: "Absent attributes are not changed. Figures are computed when they are read, so they follow at once.",
  tag,
  scope: "write",
  action: "edit_records",
  request: {
    params: record.params,
    query: { type },
    body: { document: editEmissionFactorDocument },
    conditional: true,
  },
  responses: { 200: record.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { accountId } = caller;
    const edited = await services.transaction(accountId, async (_sql, inTransaction) => {
      const { emissionFactors } = inTransaction;
      await emissionFactors.takeTurn(accountId);
      const present = found("emission factor", params.id, await emissionFactors.lock(accountId, params.id));
      checkWritten(false, ifVersions, present);
      const settings = await createFactorReader(inTransaction)(body.attributes, present);
      const factor = await emissionFactors.edit(accountId, present, settings);
      await refuseCollision(emissionFactors, accountId, [factor.id]);
      return factor;
    });
    return oneReply(exchange, edited, emissionFactorResource);
  },
});

const remove = deleteRoute(record, {
  operationId: "deleteEmissionFactor",
  action: "edit_records",
  summary: "Delete an emission factor",
  description: "Legs are then computed with the factors that are left.",
  answer: { status: 204, description: "Deleted." },
  remove: ({ emissionFactors }, accountId, { id }, ifVersions) => emissionFactors.delete(accountId, id, ifVersions),
});

export const emissionFactorRoutes = [list, create, get, edit, remove, importEmissionFactors];
