import { containerRoute } from "@svc/domain/container-route";
import { computeEmissions } from "@svc/domain/emissions";
import { documentSchema, documentSelfLink, resourceDocument } from "@svc/jsonapi/documents";
import { ContainerEmissionsResource, containerEmissionsResource } from "@svc/jsonapi/emissions";
import { defineRoute } from "../http/define-route.ts";
import { requireFound } from "../http/require-found.ts";

export const getContainerEmissionsRoute = defineRoute({
  method: "get",
  path: "/containers/{id}/emissions",
  operationId: "getContainerEmissions",
  summary: "Get the emissions of a container",
  description:
    "Computes grams of CO2 equivalent of each leg by sea, by ISO 14083 and the GLEC Framework: shortest feasible distance × TEU × " +
    "the most specific emission factor of the account. Where a factor, a place or the equipment is missing, the figure is null with " +
    "a reason.",
  tag: "Emissions",
  scope: "read",
  request: {
    params: { id: { of: "container", kind: "uuid", description: "The container's id." } },
    query: { type: "container_emissions" },
  },
  responses: { 200: { description: "The emissions.", schema: documentSchema(ContainerEmissionsResource) } },
  async handle({ services, caller, params, query }) {
    const { accountId } = caller;
    const { id } = params;
    const container = requireFound("container", id, await services.containers.find(accountId, id));
    const { source, records } = requireFound("container", id, await services.containerRoutes.find(accountId, id));
    const { carrierScac } = source;
    const { equipmentType, equipmentLength } = container;
    const factors = await services.emissionFactors.forCarrier(accountId, carrierScac);
    const facts = { carrierScac, equipmentType, equipmentLength, stops: containerRoute(source, records) };
    const emissions = computeEmissions(facts, factors, (from, to) => services.seaRoutes.find(from, to, []));
    const { baseUrl } = services.settings;
    const links = documentSelfLink(`${baseUrl}/containers/${id}/emissions`, query.pairs);
    const resource = containerEmissionsResource(container, emissions, baseUrl);
    return { status: 200, document: resourceDocument(resource, null, query.fields, { links }) };
  },
});
