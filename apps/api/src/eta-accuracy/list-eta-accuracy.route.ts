import { pageOf } from "@svc/jsonapi/documents";
import { EtaAccuracyResource, etaAccuracyResource } from "@svc/jsonapi/eta-accuracy";
import { type QueryDefinition, texts } from "@svc/jsonapi/query";
import type { EtaAccuracyRecord } from "@svc/persistence/eta-accuracy";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

const upperCase = (text: string): string => text.toUpperCase();

const query = {
  type: "eta_accuracy",
  list: { sortKeys: { last_arrived_at: "instant" } },
  parameters: {
    carrier: texts("filter[carrier]", "SCAC of the shipping line.", upperCase, 4),
    portOfLading: texts("filter[port_of_lading]", "UN/LOCODE.", upperCase, 5),
    portOfDischarge: texts("filter[port_of_discharge]", "UN/LOCODE.", upperCase, 5),
  },
} as const satisfies QueryDefinition;

export const listEtaAccuracyRoute = defineRoute({
  method: "get",
  path: "/eta_accuracy",
  operationId: "listEtaAccuracy",
  summary: "Get ETA accuracy by lane",
  description:
    "For each shipping line and lane on which shipments of the account arrived: the error of the estimated arrivals at the " +
    "port of discharge that were reported before the arrival. The newest 200 estimates of each lane count.",
  tag: "Shipments",
  scope: "read",
  request: { query },
  responses: { 200: { description: "A page of lanes, latest arrival first.", schema: pageOf(EtaAccuracyResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { carrier, ...others } = query.parameters;
    const filters = { ...others, ...(carrier && { carrier: canonicalScacs(carrier, await services.shippingLines()) }) };
    return listReply<EtaAccuracyRecord>(exchange, {
      path: "/eta_accuracy",
      page: await services.etaAccuracy.list(caller.accountId, filters, query.page),
      resource: etaAccuracyResource,
      sortValues: { last_arrived_at: (lane) => lane.lastArrivedAt },
    });
  },
});
