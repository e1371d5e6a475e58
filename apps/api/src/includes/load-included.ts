import { type AnyResource, includable, type ResourceType, TrackingError } from "@svc/jsonapi";
import { type ContainerResource, containerResource, withContainerLinks } from "@svc/jsonapi/containers";
import { customFieldDefinitionResource } from "@svc/jsonapi/custom-fields";
import { partyResource } from "@svc/jsonapi/parties";
import type { SparseFields } from "@svc/jsonapi/query";
import { metroAreaResource, portResource, terminalResource, vesselResource } from "@svc/jsonapi/reference-data";
import { shipmentResource } from "@svc/jsonapi/shipments";
import { trackingRequestResource } from "@svc/jsonapi/tracking-requests";
import { rawEventResource, transportEventResource } from "@svc/jsonapi/transport-events";
import { webhookResource } from "@svc/jsonapi/webhooks";
import { type Caller, maySeeSecrets } from "../http/authenticator.ts";
import type { Services } from "../services.ts";

type Path = readonly string[];
type Reader = Pick<Caller, "accountId" | "scopes" | "role">;
/** Reads the resources with these ids. */
type Load = (services: Services, caller: Reader, ids: readonly string[]) => Promise<AnyResource[]>;

/** Loads terminals as one of two types, which are rows of one table; a rail terminal can be linked as either. */
const loadTerminalsAs =
  (type: "terminal" | "rail_terminal"): Load =>
  async ({ includedReferenceData, settings }, _caller, ids) =>
    (await includedReferenceData.terminals(ids)).map((terminal) => terminalResource(terminal, settings.baseUrl, type));

/** One statement reads all wanted resources of a kind. */
const loaders: Readonly<Record<string, Load>> = {
  shipment: async ({ shipments, settings }, { accountId }, ids) =>
    (await shipments.findMany(accountId, ids)).map((shipment) => shipmentResource(shipment, settings.baseUrl)),
  container: async ({ containers, settings }, { accountId }, ids) =>
    (await containers.findMany(accountId, ids)).map((container) => containerResource(container, settings.baseUrl)),
  raw_event: async ({ rawEvents }, { accountId }, ids) =>
    (await rawEvents.findMany(accountId, ids)).map(rawEventResource),
  transport_event: async ({ transportEvents }, { accountId }, ids) =>
    (await transportEvents.findMany(accountId, ids)).map(transportEventResource),
  port: async ({ includedReferenceData, settings }, _caller, ids) =>
    (await includedReferenceData.ports(ids)).map((port) => portResource(port, settings.baseUrl)),
  metro_area: async ({ includedReferenceData, settings }, _caller, ids) =>
    (await includedReferenceData.metroAreas(ids)).map((area) => metroAreaResource(area, settings.baseUrl)),
  terminal: loadTerminalsAs("terminal"),
  rail_terminal: loadTerminalsAs("rail_terminal"),
  vessel: async ({ includedReferenceData, settings }, _caller, ids) =>
    (await includedReferenceData.vessels(ids)).map((vessel) => vesselResource(vessel, settings.baseUrl)),
  party: async ({ parties, settings }, { accountId }, ids) =>
    (await parties.findMany(accountId, ids)).map((party) => partyResource(party, settings.baseUrl)),
  tracking_request: async ({ trackingRequests, settings }, { accountId }, ids) =>
    (await trackingRequests.findMany(accountId, ids)).map((one) => trackingRequestResource(one, settings.baseUrl)),
  custom_field_definition: async ({ customFieldDefinitions, settings }, { accountId }, ids) =>
    (await customFieldDefinitions.findMany(accountId, ids)).map((one) =>
      customFieldDefinitionResource(one, settings.baseUrl),
    ),
  webhook: async ({ webhooks, settings }, caller, ids) =>
    (await webhooks.findMany(caller.accountId, ids)).map((webhook) =>
      webhookResource(webhook, settings.baseUrl, { showsSecrets: maySeeSecrets(caller, "manage_webhooks") }),
    ),
};

interface Linkage {
  readonly type: string;
  readonly id: string;
}

const keyOf = ({ type, id }: Linkage): string => `${type} ${id}`;

function linked(resource: AnyResource, relationship: string): Linkage[] {
  const members = resource.relationships as Readonly<Record<string, { data?: Linkage | Linkage[] | null }>> | undefined;
  const data = members?.[relationship]?.data;
  if (data === null || data === undefined) return [];
  return Array.isArray(data) ? data : [data];
}

/** About 17 MB as JSON. What is more would keep every other request of the process waiting while it is written. */
export const includedInListMax = 20_000;

function tooMany(resourcesMax: number): TrackingError {
  const detail = `include leads to more than ${resourcesMax} resources. Request fewer by page[size], or include less.`;
  return TrackingError.of("invalid_parameter", detail, { source: { parameter: "include" } });
}

/**
 * Follows the paths from the primary resources, one step at a time for all paths together, with one statement for each
 * kind of resource and step. Each resource comes once. Returns the primary resources too, because including the events
 * of a container completes its linkage; `included` is null when the query names nothing. Throws `TrackingError` (400)
 * before it loads more than `resourcesMax`.
 */
export async function loadIncluded(
  services: Services,
  caller: Reader,
  primary: readonly AnyResource[],
  paths: readonly Path[] | null,
  {
    resourcesMax = Number.POSITIVE_INFINITY,
    fields,
  }: { readonly resourcesMax?: number; readonly fields?: SparseFields } = {},
): Promise<[primary: readonly AnyResource[], included: readonly AnyResource[] | null]> {
  const known = new Map(primary.map((resource) => [keyOf(resource), resource] as const));
  const room = () => resourcesMax + primary.length - known.size;
  let steps = (paths ?? []).map((path) => ({ path, from: primary.map(keyOf) }));
  while (steps.length > 0) {
    if (steps.some(({ path }) => path[0] === "raw_events")) await linkEvents(services, caller.accountId, known);
    if (!(await addTransportEvents(services, caller.accountId, known, steps, room()))) throw tooMany(resourcesMax);
    const targets = steps.map(({ path: [name = ""], from }) =>
      from.flatMap((key) => {
        const resource = known.get(key);
        return resource && isFollowed(resource.type, name) ? linked(resource, name) : [];
      }),
    );
    if (!(await loadMissing(services, caller, known, targets.flat(), room()))) throw tooMany(resourcesMax);
    steps = steps.flatMap(({ path: [, ...rest] }, index) =>
      rest.length === 0 ? [] : [{ path: rest, from: [...new Set((targets[index] ?? []).map(keyOf))] }],
    );
  }
  const containerFields = fields?.get("container");
  if (!containerFields || containerFields.has("transport_events") || containerFields.has("raw_events")) {
    await linkEvents(services, caller.accountId, known);
  }
  const primaryKeys = new Set(primary.map(keyOf));
  return [
    primary.map((resource) => known.get(keyOf(resource)) ?? resource),
    paths && [...known].filter(([key]) => !primaryKeys.has(key)).map(([, resource]) => resource),
  ];
}

function isFollowed(type: string, relationship: string): boolean {
  return Object.hasOwn(includable, type) && Object.hasOwn(includable[type as ResourceType], relationship);
}

/** Returns false, and loads nothing, when there would be more than `resourcesMax`. */
async function loadMissing(
  services: Services,
  caller: Reader,
  known: Map<string, AnyResource>,
  requested: readonly Linkage[],
  resourcesMax: number,
): Promise<boolean> {
  const idsByType = new Map<string, Set<string>>();
  for (const link of requested) {
    if (known.has(keyOf(link))) continue;
    idsByType.set(link.type, (idsByType.get(link.type) ?? new Set()).add(link.id));
  }
  const missing = [...idsByType.values()].reduce((sum, ids) => sum + ids.size, 0);
  if (missing > resourcesMax) return false;
  const loaded = await Promise.all(
    [...idsByType].map(async ([type, ids]) => (await loaders[type]?.(services, caller, [...ids])) ?? []),
  );
  const found = new Map(loaded.flat().map((resource) => [keyOf(resource), resource] as const));
  // The order is that of the linkage: the database has none, and the same document must have the same entity tag.
  for (const link of requested) {
    const resource = found.get(keyOf(link));
    if (resource) known.set(keyOf(resource), resource);
  }
  return true;
}

type ContainerRelationships = ContainerResource["relationships"];
const isLinked = ({ raw_events, transport_events }: ContainerRelationships): boolean =>
  raw_events.data !== undefined && transport_events.data !== undefined;

/** Links the newest events of the containers that link none yet, with one statement. */
async function linkEvents(services: Services, accountId: string, known: Map<string, AnyResource>): Promise<void> {
  const containers = [...known.values()].filter(
    (resource): resource is ContainerResource =>
      resource.type === "container" && !isLinked(resource.relationships as ContainerRelationships),
  );
  if (containers.length === 0) return;
  const links = await services.containerLinks.find(
    accountId,
    containers.map(({ id }) => id),
  );
  for (const container of containers) {
    const linked = withContainerLinks(container, links.get(container.id) ?? { transportEventIds: [], rawEventIds: [] });
    // Included events are linked already, all of them.
    const { transport_events } = container.relationships;
    const relationships = transport_events.data ? { ...linked.relationships, transport_events } : linked.relationships;
    known.set(keyOf(container), { ...linked, relationships });
  }
}

/** A container links its events only if they are in the same document. False: there are more than `resourcesMax`. */
async function addTransportEvents(
  { transportEvents }: Services,
  accountId: string,
  known: Map<string, AnyResource>,
  steps: readonly { readonly path: Path; readonly from: readonly string[] }[],
  resourcesMax: number,
): Promise<boolean> {
  const containers = steps
    .filter(({ path }) => path[0] === "transport_events")
    .flatMap(({ from }) => from.flatMap((key) => known.get(key) ?? []))
    .filter((resource) => resource.type === "container");
  if (containers.length === 0) return true;
  const ids = [...new Set(containers.map((container) => container.id))];
  const limit = Number.isFinite(resourcesMax) ? resourcesMax + 1 : undefined;
  const events = (await transportEvents.findListedOfContainers(accountId, ids, limit)).map(transportEventResource);
  if (events.length > resourcesMax) return false;
  for (const event of events) known.set(keyOf(event), event);
  const eventsByContainer = Map.groupBy(events, (event) => event.relationships.container.data.id);
  for (const container of containers) {
    const data = (eventsByContainer.get(container.id) ?? []).map(({ type, id }) => ({ type, id }));
    const relationships = container.relationships as Readonly<Record<string, object>>;
    known.set(keyOf(container), {
      ...container,
      relationships: { ...relationships, transport_events: { ...relationships.transport_events, data } },
    });
  }
  return true;
}
