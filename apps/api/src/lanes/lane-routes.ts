import type { EtaAccuracy, LaneFilters, TransitTime } from "@svc/domain/lanes";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { AnyResource, ResourceType } from "@svc/jsonapi";
import { pageSchema } from "@svc/jsonapi/documents";
import { EtaAccuracyResource, etaAccuracyResource, TransitTimeResource, transitTimeResource } from "@svc/jsonapi/lanes";
import { codes, type QueryDefinition } from "@svc/jsonapi/query";
import { defineRoute, type ResponseDefinition, type Route } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import { withCanonicalScacs } from "../tracking-requests/number-forms.ts";

const query = {
  list: { sortKeys: { last_arrived_at: "instant" } },
  parameters: {
    carrier: codes("filter[carrier]", "SCAC of the shipping line.", 4),
    portOfLading: codes("filter[port_of_lading]", "UN/LOCODE.", 5),
    portOfDischarge: codes("filter[port_of_discharge]", "UN/LOCODE.", 5),
  },
} as const satisfies QueryDefinition;

interface LaneList<Lane> extends Pick<Route, "path" | "operationId" | "summary" | "description"> {
  readonly type: ResourceType;
  readonly page: ResponseDefinition;
  resource(lane: Lane): AnyResource;
  list(
    services: Services,
    accountId: string,
    filters: LaneFilters,
    page: PageRequest<"last_arrived_at">,
  ): Promise<Page<Lane>>;
}

/** Defines a route that returns a page of statistics by shipping line and lane, latest arrival first. */
function laneList<Lane extends TransitTime | EtaAccuracy>(route: LaneList<Lane>): Route {
  const { type, page, resource, list, ...described } = route;
  return defineRoute({
    method: "get",
    ...described,
    tag: "Shipments",
    scope: "read",
    request: { query: { type, ...query } },
    responses: { 200: page },
    async handle(exchange) {
      const { services, caller, query } = exchange;
      const filters = await withCanonicalScacs(query.parameters, services);
      return listReply<Lane>(exchange, {
        path: described.path,
        page: await list(services, caller.accountId, filters, query.page),
        resource,
        sortValues: { last_arrived_at: (lane) => lane.lastArrivedAt },
      });
    },
  });
}

const listEtaAccuracy = laneList<EtaAccuracy>({
  type: "eta_accuracy",
  path: "/eta_accuracy",
  operationId: "listEtaAccuracy",
  summary: "Get ETA accuracy by lane",
  description:
    "Returns, by shipping line and lane with arrived shipments of the account, the error of the estimated arrivals at the " +
    "port of discharge that were reported before the arrival. The newest 200 estimates of each lane count.",
  page: { description: "A page of lanes, latest arrival first.", schema: pageSchema(EtaAccuracyResource) },
  resource: etaAccuracyResource,
  list: ({ etaAccuracy }, ...rest) => etaAccuracy.list(...rest),
});

const listTransitTimes = laneList<TransitTime>({
  type: "transit_time",
  path: "/transit_times",
  operationId: "listTransitTimes",
  summary: "Get transit and dwell times by lane",
  description:
    "Returns, by shipping line and lane with arrived shipments of the account, how long the voyage took, and how " +
    "long containers stayed at the port of discharge until they were picked up. The newest 200 arrivals of each lane count.",
  page: { description: "A page of lanes, latest arrival first.", schema: pageSchema(TransitTimeResource) },
  resource: transitTimeResource,
  list: ({ transitTimes }, ...rest) => transitTimes.list(...rest),
});

export const laneRoutes = [listEtaAccuracy, listTransitTimes];
