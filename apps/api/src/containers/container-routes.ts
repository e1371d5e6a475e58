import { type Container, containerStatuses } from "@svc/domain/containers";
import { normalizeContainerNumber } from "@svc/domain/identifiers";
import {
  estimatedTransportEventNames,
  type ListedEventName,
  type ListedTransportEvent,
  pickupChangeNames,
  transportEventNames,
} from "@svc/domain/transport-events";
import { ContainerResource, containerResource, editContainerDocument } from "@svc/jsonapi/containers";
import { asOfDocumentSchema, pageSchema } from "@svc/jsonapi/documents";
import { booleanFlag, codes, enumList, freeTexts, type QueryDefinition, texts, timestamp } from "@svc/jsonapi/query";
import { listedEventNames, TransportEventResource, transportEventResource } from "@svc/jsonapi/transport-events";
import { getRecordAsOfRoute } from "../history/get-record-as-of.route.ts";
import { defineRoute, type Exchange, type Reply } from "../http/define-route.ts";
import { checkWritten } from "../http/preconditions.ts";
import { listReply, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import { withCanonicalScacs } from "../tracking-requests/number-forms.ts";

const tag = "Containers";
const params = { id: { of: "container", kind: "uuid", description: "The container's id." } } as const;
const oneQuery = { type: "container" } as const satisfies QueryDefinition;

const listQuery = {
  type: "container",
  ignored: ["terminal_checked_before"],
  list: { sortKeys: { created_at: "instant", updated_at: "instant", number: "text" } },
  parameters: {
    status: enumList("filter[status]", "Current status.", containerStatuses),
    port: codes(
      "filter[port]",
      "UN/LOCODE of the port of loading, of discharge or the destination. GET /container_overviews filters by any call.",
      5,
    ),
    carrier: codes("filter[carrier]", "SCAC of the shipping line.", 4),
    updatedAfter: timestamp("filter[updated_after]", "Updated after this time."),
    createdAfter: timestamp("filter[created_after]", "Created after this time."),
    number: texts("filter[number]", "Container number.", normalizeContainerNumber),
    refNumber: freeTexts("filter[ref_number]", "Reference number, exact."),
    tag: freeTexts("filter[tag]", "Tag of the shipment, exact.", 50),
    trackingStopped: booleanFlag("filter[tracking_stopped]", "Whether tracking has stopped."),
    pickupLfdBefore: timestamp("filter[pickup_lfd_before]", "Last free day before this time."),
    hasHolds: booleanFlag("filter[has_holds]", "Whether the terminal reports holds."),
    availableForPickup: booleanFlag("filter[available_for_pickup]", "Whether the container is available for pickup."),
  },
} as const satisfies QueryDefinition;

const listContainers = defineRoute({
  method: "get",
  path: "/containers",
  operationId: "listContainers",
  summary: "List containers",
  description:
    "Lists the account's containers, newest first. Use it to synchronize records; for reports, use `GET " +
    "/container_overviews`.",
  tag,
  scope: "read",
  request: { query: listQuery },
  responses: { 200: { description: "A page of containers, newest first.", schema: pageSchema(ContainerResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const filters = await withCanonicalScacs(query.parameters, services);
    return listReply<Container>(exchange, {
      path: "/containers",
      page: await services.containers.list(caller.accountId, filters, query.page),
      resource: containerResource,
      sortValues: {
        created_at: (container) => container.createdAt,
        updated_at: (container) => container.updatedAt,
        number: (container) => container.number,
      },
    });
  },
});

const getContainer = getRecordAsOfRoute({
  path: "/containers/{id}",
  operationId: "getContainer",
  kind: "container",
  tag,
  params,
  schema: ContainerResource,
  find: ({ containers }, accountId, id) => containers.find(accountId, id),
  resource: containerResource,
});

type Editing = Pick<Exchange<typeof oneQuery, { document: typeof editContainerDocument }>, "query" | "body"> &
  Pick<Exchange<object, undefined>, "services" | "caller" | "ifVersions">;

async function edit(exchange: Editing, id: string): Promise<Reply> {
  const { services, caller, body, ifVersions } = exchange;
  const { ref_numbers: refNumbers } = body.attributes;
  const options = { now: services.clock.now(), ifVersions };
  const edited = await services.containers.edit(caller.accountId, id, refNumbers ? { refNumbers } : {}, options);
  const container = edited ?? requireFound("container", id, await services.containers.find(caller.accountId, id));
  checkWritten(edited !== null, ifVersions, container);
  return recordReply(exchange, container, containerResource);
}

const editContainer = defineRoute({
  method: "patch",
  path: "/containers/{id}",
  operationId: "editContainer",
  summary: "Update a container",
  description: "Replaces the reference numbers. An empty array clears them.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { params, query: oneQuery, body: { document: editContainerDocument }, conditional: true },
  responses: { 200: { description: "The full container.", schema: asOfDocumentSchema(ContainerResource) } },
  handle: (exchange) => edit(exchange, exchange.params.id),
});

/** The path that the reference service documents (docs/contract/reference.md 1.3). */
const editContainerInBody = defineRoute({
  method: "patch",
  path: "/containers",
  operationId: "editContainerInBody",
  summary: "Update a container by the id in the body",
  description:
    "Updates a container as PATCH /containers/{id} does, for clients that name the container in `data.id` only.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { query: oneQuery, body: { document: editContainerDocument, hasId: true }, conditional: true },
  responses: { 200: { description: "The full container.", schema: asOfDocumentSchema(ContainerResource) } },
  handle: (exchange) => edit(exchange, exchange.body.id ?? ""),
});

const eventNamesByKind: Readonly<Record<"milestone" | "estimate" | "pickup_change", readonly ListedEventName[]>> = {
  milestone: transportEventNames,
  estimate: estimatedTransportEventNames,
  pickup_change: pickupChangeNames,
};

const timelineQuery = {
  type: "transport_event",
  list: { sortKeys: { created_at: "instant" } },
  parameters: {
    asOf: timestamp("as_of", "Time at which the list is shown. Default: now."),
    names: enumList("filter[event]", "Name of the event.", [...listedEventNames.keys()]),
    kinds: enumList(
      "filter[kind]",
      "Milestones; changes of estimates; or changes of last free days and appointments.",
      ["milestone", "estimate", "pickup_change"],
    ),
  },
} as const satisfies QueryDefinition;

const listTransportEvents = defineRoute({
  method: "get",
  path: "/containers/{id}/transport_events",
  operationId: "listContainerTransportEvents",
  summary: "List transport events of a container",
  description:
    "Returns milestones, and the changes of estimates, last free days and appointments that notifications refer to. " +
    "A corrected event is replaced by its new version. With `as_of`, returns the events that were valid at that " +
    "time.",
  tag,
  scope: "read",
  request: { params, query: timelineQuery },
  responses: { 200: { description: "A page of events, newest first.", schema: pageSchema(TransportEventResource) } },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const { asOf, names, kinds } = query.parameters;
    const page = await services.transportEvents.listOfContainer(caller.accountId, id, query.page, {
      ...(asOf && { asOf }),
      ...(names && { names: names.flatMap((name) => listedEventNames.get(name) ?? []) }),
      ...(kinds && { kinds: kinds.flatMap((kind) => eventNamesByKind[kind]) }),
    });
    // An empty page may mean an unknown record. Only then is the record read.
    if (page.total === 0) requireFound("container", id, await services.containers.find(caller.accountId, id));
    return listReply<ListedTransportEvent>(exchange, {
      path: `/containers/${id}/transport_events`,
      page,
      resource: transportEventResource,
      sortValues: { created_at: (event) => event.createdAt },
    });
  },
});

export const containerRoutes = [listContainers, getContainer, editContainer, editContainerInBody, listTransportEvents];
