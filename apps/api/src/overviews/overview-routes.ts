import type { ContainerOverview, ShipmentOverview } from "@svc/domain/overviews";
import { listOrPageSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  ContainerOverviewResource,
  containerOverviewResource,
  OverviewCountResource,
  overviewCountResource,
  ShipmentOverviewResource,
  shipmentOverviewResource,
} from "@svc/jsonapi/overviews";
import { enumValue, integer, type QueryDefinition } from "@svc/jsonapi/query";
import { missingSortValues, overviewGroupings } from "@svc/persistence/overviews";
import { defineRoute } from "../http/define-route.ts";
import { completeListReply, listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import {
  containerFilters,
  containerSortKeys,
  type Found,
  findContainers,
  findShipments,
  shipmentFilters,
  shipmentSortKeys,
} from "./overview-parameters.ts";
import { customFields, readCustomFields } from "./read-custom-fields.ts";

const tag = "Overviews";
const counting = {
  upTo: integer(
    "up_to",
    "With `group_by=status`: count each status up to this number. More count as one more; a large account is then counted sooner.",
    { min: 1, max: 10_000 },
  ),
};
const groupBy = {
  ...enumValue("group_by", "Attribute to count by. Default: status.", overviewGroupings),
  required: false,
};
const groupContainersBy = {
  ...enumValue(
    "group_by",
    "Attribute to count by. Default: status. `condition`: how many containers meet each condition of saved views but `stale`; one can meet several. No groups where more than 5,000 containers match the filters.",
    [...overviewGroupings, "condition"],
  ),
  required: false,
};

/** What both counts have in common. */
const counts = {
  description:
    "Counts the records that match the filters of the list; at most the 100 largest groups, the largest first.",
  tag,
  scope: "read",
  responses: { 200: { description: "The groups.", schema: listOrPageSchema(OverviewCountResource) } },
} as const;

const missing = (key: keyof typeof missingSortValues, descending: boolean): string =>
  missingSortValues[key][descending ? "descending" : "ascending"];

const sharedSortValues = (descending: boolean) => ({
  created_at: (row: ShipmentOverview | ContainerOverview) => row.createdAt,
  updated_at: (row: ShipmentOverview | ContainerOverview) => row.updatedAt,
  last_changed_at: (row: ShipmentOverview | ContainerOverview) =>
    row.lastChangedAt ?? missing("lastChanged", descending),
  arrival: (row: ShipmentOverview | ContainerOverview) => row.arrivalAt,
  delay: (row: ShipmentOverview | ContainerOverview) => String(row.delayDays ?? missing("delay", descending)),
});

const withAttributes = <Resource extends ShipmentOverviewResource | ContainerOverviewResource>(
  resource: Resource,
  attributes: Partial<Resource["attributes"]>,
): Resource => ({ ...resource, attributes: { ...resource.attributes, ...attributes } });

const description = (record: string, other: string): string =>
  `Returns one flat row for each ${record}, with attributes of its ${other}, ports, vessel, customer and polling. For reports ` +
  "over the whole account; to synchronize records, use the plain lists, which cost less.";

const listContainerOverviews = defineRoute({
  method: "get",
  path: "/container_overviews",
  operationId: "listContainerOverviews",
  summary: "List container overviews",
  description: description("container", "shipment"),
  tag,
  scope: "read",
  request: {
    query: {
      type: "container_overview",
      list: { sortKeys: containerSortKeys },
      parameters: { ...containerFilters, customFields },
    } as const satisfies QueryDefinition,
  },
  responses: { 200: { description: "A page of containers.", schema: pageSchema(ContainerOverviewResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { customFields: apiSlugs, ...given } = query.parameters;
    const { accountId } = caller;
    const { filters, found } = await findContainers(given, services, accountId);
    const page = await services.containerOverviews.list(accountId, filters, query.page, services.clock.now());
    const fieldsOf = await readCustomFields(services, accountId, page.items, apiSlugs);
    return listReply<ContainerOverview>(exchange, {
      path: "/container_overviews",
      page,
      resource: (row) => withAttributes(containerOverviewResource(row), fieldsOf(row.id)),
      sortValues: {
        ...sharedSortValues(query.page.descending),
        number: (row) => row.number,
        last_free_day: ({ fullOutAt, lastFreeDay }) =>
          (fullOutAt === null ? lastFreeDay : null) ?? missing("lastFreeDay", query.page.descending),
      },
      ...(found && { meta: { search: { is_complete: found.isComplete, containers: [] } } }),
    });
  },
});

const listShipmentOverviews = defineRoute({
  method: "get",
  path: "/shipment_overviews",
  operationId: "listShipmentOverviews",
  summary: "List shipment overviews",
  description: `${description("shipment", "containers")} A container filter matches shipments with at least one such container.`,
  tag,
  scope: "read",
  request: {
    query: {
      type: "shipment_overview",
      list: { sortKeys: shipmentSortKeys },
      parameters: { ...shipmentFilters, customFields },
    } as const satisfies QueryDefinition,
  },
  responses: { 200: { description: "A page of shipments.", schema: pageSchema(ShipmentOverviewResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { accountId } = caller;
    const { customFields: apiSlugs, ...given } = query.parameters;
    const { filters, found } = await findShipments(given, services, accountId);
    const page = await services.shipmentOverviews.list(accountId, filters, query.page, services.clock.now());
    const fieldsOf = await readCustomFields(services, accountId, page.items, apiSlugs);
    return listReply<ShipmentOverview>(exchange, {
      path: "/shipment_overviews",
      page,
      resource: (row) => withAttributes(shipmentOverviewResource(row), fieldsOf(row.id)),
      sortValues: sharedSortValues(query.page.descending),
      ...(found && { meta: { search: await searchMeta(found, page.items, services, accountId) } }),
    });
  },
});

async function searchMeta(
  { searchQuery, isComplete }: Found,
  rows: readonly ShipmentOverview[],
  services: Services,
  accountId: string,
) {
  const ids = rows.map(({ id }) => id);
  const part = searchQuery?.containerNumber;
  const matching = part ? await services.findMatchingContainers(accountId, ids, part) : [];
  const containers = matching.map(({ shipmentId, id, number }) => ({ shipment_id: shipmentId, id, number }));
  return { is_complete: isComplete, containers };
}

const countContainerOverviews = defineRoute({
  method: "get",
  path: "/container_overviews/counts",
  operationId: "countContainerOverviews",
  summary: "Count containers by attribute",
  ...counts,
  request: {
    query: {
      type: "overview_count",
      wholeList: true,
      parameters: { ...containerFilters, groupBy: groupContainersBy, ...counting },
    } as const,
  },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "status", upTo, ...given } = query.parameters;
    const { filters } = await findContainers(given, services, caller.accountId);
    const rows = await services.containerOverviews.count(caller.accountId, filters, { by, upTo }, services.clock.now());
    return completeListReply(exchange, "/container_overviews/counts", rows.map(overviewCountResource));
  },
});

const countShipmentOverviews = defineRoute({
  method: "get",
  path: "/shipment_overviews/counts",
  operationId: "countShipmentOverviews",
  summary: "Count shipments by attribute",
  ...counts,
  request: {
    query: {
      type: "overview_count",
      wholeList: true,
      parameters: { ...shipmentFilters, groupBy, ...counting },
    } as const,
  },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "status", upTo, ...given } = query.parameters;
    const { filters } = await findShipments(given, services, caller.accountId);
    const rows = await services.shipmentOverviews.count(caller.accountId, filters, { by, upTo }, services.clock.now());
    return completeListReply(exchange, "/shipment_overviews/counts", rows.map(overviewCountResource));
  },
});

export const overviewRoutes = [
  listContainerOverviews,
  countContainerOverviews,
  listShipmentOverviews,
  countShipmentOverviews,
];
