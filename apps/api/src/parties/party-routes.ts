import { attributeSource, TrackingError } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { PartyResource, partyDocument, partyResource } from "@svc/jsonapi/parties";
import { freeTexts } from "@svc/jsonapi/query";
import { PartyNameTakenError } from "@svc/persistence/parties";
import { createRoute, defineRecord, editRoute, getRoute, listRoute } from "../http/record-routes.ts";

const party = defineRecord({
  type: "party",
  tag: "Parties",
  path: "/parties/{id}",
  params: { id: { of: "party", kind: "uuid", description: "The party's id." } },
  shown: { description: "The party.", schema: documentSchema(PartyResource) },
  find: ({ parties }, { accountId }, { id }) => parties.find(accountId, id),
  resource: () => partyResource,
});

const nameTakenError = (name: string): TrackingError =>
  TrackingError.of("duplicate", `A party named ${JSON.stringify(name)} exists already.`, {
    source: attributeSource("company_name"),
  });

const listParties = listRoute(party, {
  path: "/parties",
  operationId: "listParties",
  summary: "List parties",
  query: {
    type: "party",
    list: { sortKeys: { created_at: "instant" }, defaultSize: 25 },
    parameters: {
      companyName: freeTexts("filter[company_name]", "Name of the company, ignoring the case of A to Z.", 200),
    },
  },
  page: { description: "A page of parties, newest first.", schema: pageSchema(PartyResource) },
  list: ({ parties }, { accountId }, { parameters, page }) => parties.list(accountId, parameters, page),
});

const createParty = createRoute(party, {
  path: "/parties",
  operationId: "createParty",
  summary: "Create a party",
  description:
    "Adds a company, which can then be the customer of shipments and tracking requests. Its name must be unique in " +
    "the account.",
  action: "edit_records",
  document: partyDocument,
  async create(services, { accountId }, { company_name: companyName }) {
    const draft = { id: services.ids.next(), companyName, now: services.clock.now() };
    const created = await services.parties.create(accountId, draft);
    if (created) return created;
    throw nameTakenError(companyName);
  },
});

const getParty = getRoute(party, { operationId: "getParty", summary: "Get a party" });

const editParty = editRoute(party, {
  operationId: "editParty",
  summary: "Update a party",
  description: "Renames the company. Its shipments and tracking requests show the new name.",
  action: "edit_records",
  document: partyDocument,
  lock: ({ parties }, { accountId }, { id }) => parties.lock(accountId, id),
  async edit({ parties, clock }, { accountId }, present, { company_name: companyName }) {
    if (present.companyName === companyName) return present;
    return parties.rename(accountId, present.id, { companyName, now: clock.now() }).catch((error) => {
      throw error instanceof PartyNameTakenError ? nameTakenError(companyName) : error;
    });
  },
});

export const partyRoutes = [listParties, createParty, getParty, editParty];
