import { computeDemurrage } from "@svc/domain/demurrage";
import { ContainerDemurrageResource, containerDemurrageResource } from "@svc/jsonapi/demurrage";
import { documentSchema, documentSelfLink, resourceDocument } from "@svc/jsonapi/documents";
import { defineRoute } from "../http/define-route.ts";
import { requireFound } from "../http/require-found.ts";

export const getContainerDemurrageRoute = defineRoute({
  method: "get",
  path: "/containers/{id}/demurrage",
  operationId: "getContainerDemurrage",
  summary: "Get the demurrage of a container",
  description:
    "Computes what the demurrage rules of the account charge for the container now, with each day that is counted, why a day is " +
    "free, and the last free day by the rule beside those that terminal, shipping line and rail carrier report.",
  tag: "Demurrage",
  scope: "read",
  request: {
    params: { id: { of: "container", kind: "uuid", description: "The container's id." } },
    query: { type: "container_demurrage" },
  },
  responses: { 200: { description: "The charges.", schema: documentSchema(ContainerDemurrageResource) } },
  async handle({ services, caller, params, query }) {
    const { accountId } = caller;
    const { id } = params;
    const container = requireFound("container", id, await services.containers.find(accountId, id));
    const { facts, rules } = requireFound("container", id, await services.readDemurrageInputs(accountId, id));
    const { charges } = computeDemurrage(facts, rules, services.clock.now());
    const { baseUrl } = services.settings;
    const resource = containerDemurrageResource(container, charges, baseUrl);
    const links = documentSelfLink(`${baseUrl}/containers/${id}/demurrage`, query.pairs);
    return { status: 200, document: resourceDocument(resource, null, query.fields, { links }) };
  },
});
