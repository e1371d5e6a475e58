import { type DemurrageRule, type DemurrageSettings, demurrageSettings, ruleProblem } from "@svc/domain/demurrage";
import { invalidAttribute, limitReached, toDomainValue, toWireName } from "@svc/jsonapi";
import {
  createDemurrageRuleDocument,
  DemurrageRuleResource,
  demurrageRuleResource,
  editDemurrageRuleDocument,
} from "@svc/jsonapi/demurrage";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { createRoute, defineRecord, deleteRoute, editRoute, getRoute, listRoute } from "../http/record-routes.ts";
import type { Services } from "../services.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

const type = "demurrage_rule";
const tag = "Demurrage";
const rulesMax = 500;

const record = defineRecord({
  type,
  tag,
  path: "/demurrage_rules/{id}",
  params: { id: { of: "demurrage rule", kind: "uuid", description: "The rule's id." } },
  shown: { description: "The demurrage rule.", schema: documentSchema(DemurrageRuleResource) },
  find: ({ demurrageRules }, { accountId }, { id }) => demurrageRules.find(accountId, id),
  resource: () => demurrageRuleResource,
});

const list = listRoute(record, {
  path: "/demurrage_rules",
  operationId: "listDemurrageRules",
  summary: "List demurrage rules",
  query: { type, list: { sortKeys: { created_at: "instant" } } },
  page: { description: "A page of demurrage rules, newest first.", schema: pageSchema(DemurrageRuleResource) },
  list: ({ demurrageRules }, { accountId }, { page }) => demurrageRules.list(accountId, page),
});

/** Returns the UN/LOCODE of a place in the directory of ports; its aliases name the same place. */
async function canonicalLocode({ referenceData }: Services, locode: string): Promise<string> {
  const port = await referenceData.findPort(locode);
  if (port) return port.locode;
  throw invalidAttribute(
    "port_locode",
    `No port with the UN/LOCODE ${locode} is known. GET /v2/ports/{locode} shows a port.`,
  );
}

type Attributes = ReturnType<typeof editDemurrageRuleDocument.attributes.parse>;

/** Merges the document into `present`. Throws `TrackingError` for contradictory settings. */
async function readSettings(
  services: Services,
  attributes: Attributes,
  present: DemurrageRule | null,
): Promise<DemurrageSettings> {
  const written = toDomainValue(attributes);
  const { carrierScac: scac, portLocode: locode } = written;
  const [carrierScac] = scac ? canonicalScacs([scac], await services.shippingLines()) : [];
  const portLocode = locode ? await canonicalLocode(services, locode) : null;
  const codes = { ...(carrierScac && { carrierScac }), ...(portLocode && { portLocode }) };
  const settings = demurrageSettings({ ...written, ...codes }, present);
  const problem = ruleProblem(settings);
  if (problem === null) return settings;
  const place = problem.index === undefined ? "" : `/${problem.index}`;
  throw invalidAttribute(`${toWireName(problem.setting)}${place}`, problem.detail);
}

const create = createRoute(record, {
  path: "/demurrage_rules",
  operationId: "createDemurrageRule",
  summary: "Create a demurrage rule",
  description:
    "Adds free time and charges as agreed with a shipping line or a terminal. For each kind and direction the most specific rule " +
    "applies to a container: first by terminal, then port, carrier and equipment. The charges of containers are computed again in " +
    "the background.",
  action: "edit_records",
  document: createDemurrageRuleDocument,
  async create(services, { accountId }, attributes) {
    const rule = { ...(await readSettings(services, attributes, null)), id: services.ids.next() };
    const created = await services.transaction(accountId, (_sql, { demurrageRules }) =>
      demurrageRules.create(accountId, rule, rulesMax),
    );
    if (created !== "limit_reached") return created;
    throw limitReached(`An account may have ${rulesMax} demurrage rules. Delete one first.`);
  },
});

const get = getRoute(record, { operationId: "getDemurrageRule", summary: "Get a demurrage rule" });

const edit = editRoute(record, {
  operationId: "editDemurrageRule",
  summary: "Update a demurrage rule",
  description: "Changes the given attributes. The charges of containers are computed again in the background.",
  action: "edit_records",
  document: editDemurrageRuleDocument,
  lock: ({ demurrageRules }, { accountId }, { id }) => demurrageRules.lock(accountId, id),
  edit: async (services, { accountId }, present, attributes) =>
    services.demurrageRules.edit(accountId, present, await readSettings(services, attributes, present)),
});

const remove = deleteRoute(record, {
  operationId: "deleteDemurrageRule",
  action: "edit_records",
  summary: "Delete a demurrage rule",
  description:
    "Deletes the rule. The charges of containers are computed again in the background, by the remaining ones.",
  response: { status: 204, description: "Deleted." },
  remove: ({ demurrageRules }, { accountId }, { id }, ifVersions) => demurrageRules.delete(accountId, id, ifVersions),
});

export const demurrageRuleRoutes = [list, create, get, edit, remove];
