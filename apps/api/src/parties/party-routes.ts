import type { Party } from "@svc/domain/parties";
import { TrackingError } from "@svc/jsonapi";
import { documentOf, pageOf } from "@svc/jsonapi/documents";
import { PartyResource, partyDocument, partyResource } from "@svc/jsonapi/parties";
import { PartyNameTakenError } from "@svc/persistence/parties";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { checkWritten, createdReply, listReply, oneReply } from "../http/replies.ts";

const tag = "Parties";
const params = { id: { of: "party", kind: "uuid", description: "The party's id." } } as const;

const nameTaken = (name: string): TrackingError =>
  TrackingError.of("duplicate", `A party named ${JSON.stringify(name)} exists already.`, {
    source: { pointer: "/data/attributes/company_name" },
  });

const listParties = defineRoute({
  method: "get",
  path: "/parties",
  operationId: "listParties",
  summary: "List parties",
  tag,
  scope: "read",
  request: { query: { type: "party", list: { sortKeys: { created_at: "instant" }, defaultSize: 25 } } },
  responses: { 200: { description: "A page of parties, newest first.", schema: pageOf(PartyResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    return listReply<Party>(exchange, {
      path: "/parties",
      page: await services.parties.list(caller.accountId, query.page),
      resource: partyResource,
      sortValues: { created_at: (party) => party.createdAt },
    });
  },
});

const createParty = defineRoute({
  method: "post",
  path: "/parties",
  operationId: "createParty",
  summary: "Create a party",
  tag,
  scope: "write",
  request: { query: { type: "party" }, body: { document: partyDocument } },
  responses: { 201: { description: "The party.", schema: documentOf(PartyResource) } },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const companyName = body.attributes.company_name;
    const draft = { id: services.ids.next(), companyName, now: services.clock.now() };
    const party = await services.parties.create(caller.accountId, draft);
    if (!party) throw nameTaken(companyName);
    return createdReply(exchange, party, partyResource);
  },
});

const getParty = defineRoute({
  method: "get",
  path: "/parties/{id}",
  operationId: "getParty",
  summary: "Get a party",
  tag,
  scope: "read",
  request: { params, query: { type: "party" } },
  responses: { 200: { description: "The party.", schema: documentOf(PartyResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const party = found("party", params.id, await services.parties.find(caller.accountId, params.id));
    return oneReply(exchange, party, partyResource);
  },
});

const editParty = defineRoute({
  method: "patch",
  path: "/parties/{id}",
  operationId: "editParty",
  summary: "Update a party",
  tag,
  scope: "write",
  request: { params, query: { type: "party" }, body: { document: partyDocument }, conditional: true },
  responses: { 200: { description: "The party.", schema: documentOf(PartyResource) } },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const companyName = body.attributes.company_name;
    const renaming = services.transaction(caller.accountId, async (_sql, { parties, clock }) => {
      const present = found("party", params.id, await parties.lock(caller.accountId, params.id));
      checkWritten(false, ifVersions, present);
      if (present.companyName === companyName) return present;
      return parties.rename(caller.accountId, params.id, { companyName, now: clock.now() });
    });
    const party = await renaming.catch((error) => {
      throw error instanceof PartyNameTakenError ? nameTaken(companyName) : error;
    });
    return oneReply(exchange, party, partyResource);
  },
});

export const partyRoutes = [listParties, createParty, getParty, editParty];
