import { TrackingError } from "@svc/jsonapi";
import { documentOf, pageOf } from "@svc/jsonapi/documents";
import { PartyResource, partyDocument, partyResource } from "@svc/jsonapi/parties";
import { PartyNameTakenError } from "@svc/persistence/parties";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { defineRecord, getRoute, listRoute } from "../http/record-routes.ts";
import { checkWritten, createdReply, oneReply } from "../http/replies.ts";

const party = defineRecord({
  type: "party",
  tag: "Parties",
  path: "/parties/{id}",
  params: { id: { of: "party", kind: "uuid", description: "The party's id." } },
  shown: { description: "The party.", schema: documentOf(PartyResource) },
  find: ({ parties }, accountId, { id }) => parties.find(accountId, id),
  resource: () => partyResource,
});

const nameTaken = (name: string): TrackingError =>
  TrackingError.of("duplicate", `A party named ${JSON.stringify(name)} exists already.`, {
    source: { pointer: "/data/attributes/company_name" },
  });

const listParties = listRoute(party, {
  path: "/parties",
  operationId: "listParties",
  summary: "List parties",
  query: { type: "party", list: { sortKeys: { created_at: "instant" }, defaultSize: 25 } },
  page: { description: "A page of parties, newest first.", schema: pageOf(PartyResource) },
  list: ({ parties }, accountId, { page }) => parties.list(accountId, page),
});

const createParty = defineRoute({
  method: "post",
  path: "/parties",
  operationId: "createParty",
  summary: "Create a party",
  tag: party.tag,
  scope: "write",
  action: "edit_records",
  request: { query: { type: "party" }, body: { document: partyDocument } },
  responses: { 201: party.shown },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const companyName = body.attributes.company_name;
    const draft = { id: services.ids.next(), companyName, now: services.clock.now() };
    const created = await services.parties.create(caller.accountId, draft);
    if (!created) throw nameTaken(companyName);
    return createdReply(exchange, created, partyResource);
  },
});

const getParty = getRoute(party, { operationId: "getParty", summary: "Get a party" });

const editParty = defineRoute({
  method: "patch",
  path: party.path,
  operationId: "editParty",
  summary: "Update a party",
  tag: party.tag,
  scope: "write",
  action: "edit_records",
  request: { params: party.params, query: { type: "party" }, body: { document: partyDocument }, conditional: true },
  responses: { 200: party.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const companyName = body.attributes.company_name;
    const renaming = services.transaction(caller.accountId, async (_sql, { parties, clock }) => {
      const present = found("party", params.id, await parties.lock(caller.accountId, params.id));
      checkWritten(false, ifVersions, present);
      if (present.companyName === companyName) return present;
      return parties.rename(caller.accountId, params.id, { companyName, now: clock.now() });
    });
    const renamed = await renaming.catch((error) => {
      throw error instanceof PartyNameTakenError ? nameTaken(companyName) : error;
    });
    return oneReply(exchange, renamed, partyResource);
  },
});

export const partyRoutes = [listParties, createParty, getParty, editParty];
