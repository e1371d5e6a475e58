import { containerStatuses } from "@svc/domain/containers";
import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { shipmentStatuses } from "@svc/domain/shipments";
import { pageOf, wholeListOrPageOf } from "@svc/jsonapi/documents";
import {
  ContainerOverviewResource,
  containerOverviewResource,
  OverviewCountResource,
  overviewCountResource,
  ShipmentOverviewResource,
  shipmentOverviewResource,
} from "@svc/jsonapi/overviews";
import {
  freeTexts,
  ids,
  localDate,
  moment,
  oneChoice,
  oneOf,
  type QueryDefinition,
  texts,
  wholeNumber,
  yesOrNo,
} from "@svc/jsonapi/query";
import { type ContainerOverview, overviewGroupings, type ShipmentOverview } from "@svc/persistence/overviews";
import { defineRoute } from "../http/define-route.ts";
import { listReply, wholeListReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

const tag = "Overviews";
const upperCase = (text: string): string => text.toUpperCase();

const filters = {
  port: texts(
    "filter[port]",
    "UN/LOCODE of any call: lading, transshipment (also a planned one), discharge or destination.",
    upperCase,
    5,
  ),
  transshipmentPort: texts(
    "filter[transshipment_port]",
    "UN/LOCODE of a call between lading and discharge.",
    upperCase,
    5,
  ),
  carrier: texts("filter[carrier]", "SCAC of the shipping line.", upperCase, 4),
  customer: freeTexts("filter[customer]", "Part of the customer's name."),
  tag: freeTexts("filter[tag]", "Tag, exact.", 50),
  refNumber: freeTexts("filter[ref_number]", "Reference number of the container or its shipment, as it was given."),
  number: texts("filter[number]", "Container, bill of lading or booking number.", normalizeContainerNumber),
  vessel: freeTexts(
    "filter[vessel]",
    "Part of the name, or IMO number, of the vessel that arrives at the port of discharge or carried it on an earlier leg.",
  ),
  arrivalAfter: moment(
    "filter[arrival_after]",
    "Arrives later than this, actual or estimated, where the journey ends.",
  ),
  arrivalBefore: moment(
    "filter[arrival_before]",
    "Arrives earlier than this, actual or estimated, where the journey ends.",
  ),
  delayedByDays: wholeNumber("filter[delayed_by_days]", "At least so many days later than first estimated.", {
    least: -365,
    most: 365,
  }),
  trackingStopped: yesOrNo("filter[tracking_stopped]", "Whether polling the shipping line has stopped."),
  stale: yesOrNo("filter[stale]", "Whether the freshness is late, stale or silent; only of what is polled."),
  updatedAfter: moment("filter[updated_after]", "Updated after this time."),
  createdAfter: moment("filter[created_after]", "Created after this time."),
  shipment: ids("filter[shipment]", "Id of the shipment."),
  equipment: freeTexts("filter[equipment]", "Words of the equipment, for example `40,reefer`: all of them."),
  hasHolds: yesOrNo("filter[has_holds]", "Whether the terminal reports holds."),
  hasFees: yesOrNo("filter[has_fees]", "Whether the terminal reports fees."),
  availableForPickup: yesOrNo("filter[available_for_pickup]", "Whether the container is available for pickup."),
  lastFreeDayBefore: localDate(
    "filter[last_free_day_before]",
    "Last free day, as a local date, earlier than this, and not picked up yet.",
  ),
  lastFreeDayWithinDays: wholeNumber(
    "filter[last_free_day_within_days]",
    "Last free day over or at most so many days away, on the clock of the place of pickup, and not picked up yet. `0`: today.",
    { least: 0, most: 365 },
  ),
  notReturnedForDays: wholeNumber(
    "filter[not_returned_for_days]",
    "Taken out full at least so many days ago, and not returned.",
    { least: 0, most: 3650 },
  ),
} as const;

const containerFilters = { status: oneOf("filter[status]", "Current status.", containerStatuses), ...filters };
const shipmentFilters = { status: oneOf("filter[status]", "Current status.", shipmentStatuses), ...filters };
const groupBy = { ...oneChoice("group_by", "What to count by. Default: status.", overviewGroupings), required: false };

const sortKeys = { created_at: "instant", updated_at: "instant", arrival: "instant", delay: "integer" } as const;

/** SCACs as records hold them. */
async function withCanonicalScacs<Filters extends { readonly carrier?: readonly string[] }>(
  given: Filters,
  services: Services,
): Promise<Filters> {
  const { carrier } = given;
  return carrier ? { ...given, carrier: canonicalScacs(carrier, await services.shippingLines()) } : given;
}

const sharedSortValues = {
  created_at: (row: ShipmentOverview | ContainerOverview) => row.createdAt,
  updated_at: (row: ShipmentOverview | ContainerOverview) => row.updatedAt,
  arrival: (row: ShipmentOverview | ContainerOverview) => row.arrivalAt,
  delay: (row: ShipmentOverview | ContainerOverview) => String(row.delayDays ?? -100_000),
};

const description =
  "One flat row each with what its shipment, ports, vessel, customer and carrier polling say, for reports and questions about " +
  "the whole account. It reads more than the plain lists; for synchronizing records use those.";

const listContainerOverviews = defineRoute({
  method: "get",
  path: "/container_overviews",
  operationId: "listContainerOverviews",
  summary: "List container overviews",
  description,
  tag,
  scope: "read",
  request: {
    query: {
      type: "container_overview",
      list: { sortKeys: { ...sortKeys, number: "text", last_free_day: "text" } },
      parameters: containerFilters,
    } as const satisfies QueryDefinition,
  },
  responses: { 200: { description: "A page of containers.", schema: pageOf(ContainerOverviewResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const wanted = await withCanonicalScacs(query.parameters, services);
    return listReply<ContainerOverview>(exchange, {
      path: "/container_overviews",
      page: await services.containerOverviews.list(caller.accountId, wanted, query.page, services.clock.now()),
      resource: containerOverviewResource,
      sortValues: {
        ...sharedSortValues,
        number: (row) => row.number,
        last_free_day: (row) => row.lastFreeDay ?? "9999-12-31",
      },
    });
  },
});

const listShipmentOverviews = defineRoute({
  method: "get",
  path: "/shipment_overviews",
  operationId: "listShipmentOverviews",
  summary: "List shipment overviews",
  description: `${description} Filters on what only containers have keep shipments with such a container.`,
  tag,
  scope: "read",
  request: {
    query: {
      type: "shipment_overview",
      list: { sortKeys },
      parameters: shipmentFilters,
    } as const satisfies QueryDefinition,
  },
  responses: { 200: { description: "A page of shipments.", schema: pageOf(ShipmentOverviewResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const wanted = await withCanonicalScacs(query.parameters, services);
    return listReply<ShipmentOverview>(exchange, {
      path: "/shipment_overviews",
      page: await services.shipmentOverviews.list(caller.accountId, wanted, query.page, services.clock.now()),
      resource: shipmentOverviewResource,
      sortValues: sharedSortValues,
    });
  },
});

const countContainerOverviews = defineRoute({
  method: "get",
  path: "/container_overviews/counts",
  operationId: "countContainerOverviews",
  summary: "Count containers by attribute",
  description: "With the filters of the list; at most the 100 largest groups, the largest first.",
  tag,
  scope: "read",
  request: {
    query: { type: "overview_count", wholeList: true, parameters: { ...containerFilters, groupBy } } as const,
  },
  responses: { 200: { description: "The groups.", schema: wholeListOrPageOf(OverviewCountResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "status", ...given } = query.parameters;
    const wanted = await withCanonicalScacs(given, services);
    const counts = await services.containerOverviews.count(caller.accountId, wanted, by, services.clock.now());
    return wholeListReply(exchange, "/container_overviews/counts", counts.map(overviewCountResource));
  },
});

const countShipmentOverviews = defineRoute({
  method: "get",
  path: "/shipment_overviews/counts",
  operationId: "countShipmentOverviews",
  summary: "Count shipments by attribute",
  description: "With the filters of the list; at most the 100 largest groups, the largest first.",
  tag,
  scope: "read",
  request: {
    query: { type: "overview_count", wholeList: true, parameters: { ...shipmentFilters, groupBy } } as const,
  },
  responses: { 200: { description: "The groups.", schema: wholeListOrPageOf(OverviewCountResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "status", ...given } = query.parameters;
    const wanted = await withCanonicalScacs(given, services);
    const counts = await services.shipmentOverviews.count(caller.accountId, wanted, by, services.clock.now());
    return wholeListReply(exchange, "/shipment_overviews/counts", counts.map(overviewCountResource));
  },
});

export const overviewRoutes = [
  listContainerOverviews,
  countContainerOverviews,
  listShipmentOverviews,
  countShipmentOverviews,
];
