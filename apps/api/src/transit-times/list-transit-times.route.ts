import { pageOf } from "@svc/jsonapi/documents";
import { type QueryDefinition, texts } from "@svc/jsonapi/query";
import { TransitTimeResource, transitTimeResource } from "@svc/jsonapi/transit-times";
import type { TransitTimeRecord } from "@svc/persistence/transit-times";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

const upperCase = (text: string): string => text.toUpperCase();

const query = {
  type: "transit_time",
  list: { sortKeys: { last_arrived_at: "instant" } },
  parameters: {
    carrier: texts("filter[carrier]", "SCAC of the shipping line.", upperCase, 4),
    portOfLading: texts("filter[port_of_lading]", "UN/LOCODE.", upperCase, 5),
    portOfDischarge: texts("filter[port_of_discharge]", "UN/LOCODE.", upperCase, 5),
  },
} as const satisfies QueryDefinition;

export const listTransitTimesRoute = defineRoute({
  method: "get",
  path: "/transit_times",
  operationId: "listTransitTimes",
  summary: "Get transit and dwell times by lane",
  description:
    "For each shipping line and lane on which shipments of the account departed and arrived: how long the voyage took, and how " +
    "long containers stayed at the port of discharge until they were picked up. The newest 200 arrivals of each lane count.",
  tag: "Shipments",
  scope: "read",
  request: { query },
  responses: { 200: { description: "A page of lanes, latest arrival first.", schema: pageOf(TransitTimeResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { carrier, ...others } = query.parameters;
    const filters = { ...others, ...(carrier && { carrier: canonicalScacs(carrier, await services.shippingLines()) }) };
    return listReply<TransitTimeRecord>(exchange, {
      path: "/transit_times",
      page: await services.transitTimes.list(caller.accountId, filters, query.page),
      resource: transitTimeResource,
      sortValues: { last_arrived_at: (lane) => lane.lastArrivedAt },
    });
  },
});
