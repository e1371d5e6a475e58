import { catalogue, dailyLimitOf, facilitiesOf } from "@svc/carriers/catalogue";
import { connectionStatus } from "@svc/domain/carrier-connections";
import { CarrierResource, carrierResource } from "@svc/jsonapi/carrier-connections";
import { listOrPageSchema } from "@svc/jsonapi/documents";
import { defineRoute } from "../http/define-route.ts";
import { completeListReply } from "../http/replies.ts";

const byName = catalogue.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
const scacs = catalogue.map(({ scac }) => scac);

export const listCarriersRoute = defineRoute({
  method: "get",
  path: "/carriers",
  operationId: "listCarriers",
  summary: "List carriers of the catalogue",
  description:
    "Lists the shipping lines and terminal operators that can be connected with credentials alone: which credentials each needs, where its portal shows them, " +
    "its terms, and whether your account is connected. Connect one with `POST /carrier_connections`. In order of name.",
  tag: "Carrier connections",
  scope: "read",
  request: { query: { type: "carrier", wholeList: true } },
  responses: { 200: { description: "The carriers.", schema: listOrPageSchema(CarrierResource) } },
  async handle(exchange) {
    const { services, caller } = exchange;
    const [serviceCarriers, connections] = await Promise.all([
      services.serviceCarriers(),
      services.carrierConnections.findByScac(caller.accountId, scacs),
    ]);
    const resources = byName.map((entry) => {
      const own = connections.find(({ scac }) => scac === entry.scac);
      return carrierResource({
        ...entry,
        facilities: facilitiesOf(entry),
        dailyLimit: dailyLimitOf(entry),
        hasAddress: "baseUrl" in entry.connection,
        serviceConnected: serviceCarriers.has(entry.scac),
        own: own ? { id: own.id, status: connectionStatus(own) } : null,
      });
    });
    return completeListReply(exchange, "/carriers", resources);
  },
});
