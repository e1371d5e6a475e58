import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  createEmissionFactorDocument,
  EmissionFactorResource,
  editEmissionFactorDocument,
  emissionFactorResource,
} from "@svc/jsonapi/emissions";
import { createRoute, defineRecord, deleteRoute, editRoute, getRoute, listRoute } from "../http/record-routes.ts";
import { createFactorReader } from "./factor-reader.ts";
import { importEmissionFactorsRoute } from "./import-emission-factors.route.ts";
import { refuseCollision, writeFactors } from "./write-factors.ts";

const type = "emission_factor";
const tag = "Emissions";

const record = defineRecord({
  type,
  tag,
  path: "/emission_factors/{id}",
  params: { id: { of: "emission factor", kind: "uuid", description: "The factor's id." } },
  shown: { description: "The emission factor.", schema: documentSchema(EmissionFactorResource) },
  find: ({ emissionFactors }, { accountId }, { id }) => emissionFactors.find(accountId, id),
  resource: () => emissionFactorResource,
});

const list = listRoute(record, {
  path: "/emission_factors",
  operationId: "listEmissionFactors",
  summary: "List emission factors",
  query: { type, list: { sortKeys: { created_at: "instant" } } },
  page: { description: "A page of emission factors, newest first.", schema: pageSchema(EmissionFactorResource) },
  list: ({ emissionFactors }, { accountId }, { page }) => emissionFactors.list(accountId, page),
});

const create = createRoute(record, {
  path: "/emission_factors",
  operationId: "createEmissionFactor",
  summary: "Create an emission factor",
  description:
    "Adds grams of CO2 equivalent per TEU and km from your own source; the service has no factors. The most " +
    "specific factor applies to a leg: first by vessel, then carrier, lane and equipment.",
  action: "edit_records",
  document: createEmissionFactorDocument,
  async create(services, { accountId }, attributes) {
    const factor = await createFactorReader(services)(attributes, null);
    const [created] = await writeFactors(services, accountId, [factor]);
    if (created === undefined) throw new Error("The insertion returned no emission factor.");
    return created;
  },
});

const get = getRoute(record, { operationId: "getEmissionFactor", summary: "Get an emission factor" });

const edit = editRoute(record, {
  operationId: "editEmissionFactor",
  summary: "Update an emission factor",
  description: "Changes the given attributes. Figures are computed when they are read, so they change immediately.",
  action: "edit_records",
  document: editEmissionFactorDocument,
  async lock({ emissionFactors }, { accountId }, { id }) {
    await emissionFactors.takeTurn(accountId);
    return emissionFactors.lock(accountId, id);
  },
  async edit(services, { accountId }, present, attributes) {
    const { emissionFactors } = services;
    const settings = await createFactorReader(services)(attributes, present);
    const factor = await emissionFactors.edit(accountId, present, settings);
    await refuseCollision(emissionFactors, accountId, [factor.id]);
    return factor;
  },
});

const remove = deleteRoute(record, {
  operationId: "deleteEmissionFactor",
  action: "edit_records",
  summary: "Delete an emission factor",
  description: "Deletes the factor. Legs are then computed with the remaining ones.",
  response: { status: 204, description: "Deleted." },
  remove: ({ emissionFactors }, { accountId }, { id }, ifVersions) => emissionFactors.delete(accountId, id, ifVersions),
});

export const emissionFactorRoutes = [list, create, get, edit, remove, importEmissionFactorsRoute];
