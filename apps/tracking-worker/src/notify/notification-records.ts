import type { Container, ListedTransportEvent, Shipment } from "@svc/domain";
import {
  type AnyResource,
  containerResource,
  metroAreaResource,
  portResource,
  type RelatedResources,
  shipmentResource,
  terminalResource,
  vesselResource,
  withContainerLinks,
} from "@svc/jsonapi";
import {
  createContainerLinkReader,
  createContainerRepository,
  createReferenceDataRepository,
  createShipmentRepository,
  createTransportEventRepository,
  type Sql,
} from "@svc/persistence";

/** The records that notifications of one poll show, as they are after it, read once for all of them. */
export interface NotificationRecords {
  readonly shipment: Shipment;
  readonly containersByNumber: ReadonlyMap<string, Container>;
  readonly events: ReadonlyMap<string, ListedTransportEvent>;
  readonly resources: RelatedResources;
}

const isThere = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function placesOf(
  shipment: Shipment,
  events: readonly ListedTransportEvent[],
  extraVesselIds: readonly (string | null)[],
) {
  const { portOfLading, portOfDischarge, destination, podTerminal, destinationTerminal } = shipment;
  const places = [portOfLading, portOfDischarge, destination].filter(isThere);
  const idsOf = (kind: string) => places.filter((place) => place.kind === kind).map(({ id }) => id);
  return {
    portIds: [...idsOf("port"), ...events.map(({ portId }) => portId)].filter(isThere),
    metroAreaIds: [...idsOf("metro_area"), ...events.map(({ metroAreaId }) => metroAreaId)].filter(isThere),
    terminalIds: [podTerminal?.id, destinationTerminal?.id, ...events.map(({ terminalId }) => terminalId)].filter(
      isThere,
    ),
    vesselIds: [...extraVesselIds, ...events.map(({ vesselId }) => vesselId)].filter(isThere),
  };
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Throws when the shipment is not there: it was just written in the same transaction. */
export async function readNotificationRecords(
  sql: Sql,
  accountId: string,
  wanted: {
    readonly shipmentId: string;
    readonly eventIds: readonly string[];
    readonly vesselIds: readonly (string | null)[];
  },
  baseUrl: string,
): Promise<NotificationRecords> {
  const shipment = await createShipmentRepository(sql).find(accountId, wanted.shipmentId);
  if (shipment === null) throw new Error(`Shipment ${wanted.shipmentId} was written and cannot be read.`);
  const containers = await createContainerRepository(sql).findMany(accountId, shipment.containerIds);
  const links = await createContainerLinkReader(sql).find(accountId, shipment.containerIds);
  const events =
    wanted.eventIds.length === 0
      ? []
      : await createTransportEventRepository(sql).findMany(accountId, distinct(wanted.eventIds));
  const reference = createReferenceDataRepository(sql);
  const places = placesOf(shipment, events, wanted.vesselIds);
  const ports = await reference.findPorts(distinct(places.portIds));
  const metroAreas = await reference.findMetroAreas(distinct(places.metroAreaIds));
  const terminals = await reference.findTerminals(distinct(places.terminalIds));
  const vessels = await reference.findVessels(distinct(places.vesselIds));
  const resources: readonly AnyResource[] = [
    shipmentResource(shipment, baseUrl),
    ...containers.map((container) => {
      const resource = containerResource(container, baseUrl);
      const linked = links.get(container.id);
      return linked ? withContainerLinks(resource, linked) : resource;
    }),
    ...ports.map((port) => portResource(port, baseUrl)),
    ...metroAreas.map((metroArea) => metroAreaResource(metroArea, baseUrl)),
    ...terminals.map((terminal) => terminalResource(terminal, baseUrl)),
    ...vessels.map((vessel) => vesselResource(vessel, baseUrl)),
  ];
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  return {
    shipment,
    containersByNumber: new Map(containers.map((container) => [container.number, container])),
    events: new Map(events.map((event) => [event.id, event])),
    resources: (...ids) => distinct(ids.filter(isThere)).flatMap((id) => byId.get(id) ?? []),
  };
}
