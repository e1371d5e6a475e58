import type { Container } from "@svc/domain/containers";
import type { Shipment } from "@svc/domain/shipments";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import type { AnyResource } from "@svc/jsonapi";
import { containerResource, withContainerLinks } from "@svc/jsonapi/containers";
import type { RelatedResources } from "@svc/jsonapi/notifications";
import { metroAreaResource, portResource, terminalResource, vesselResource } from "@svc/jsonapi/reference-data";
import { shipmentResource } from "@svc/jsonapi/shipments";
import type { Sql } from "@svc/persistence";
import { createContainerLinkReader, createContainerRepository } from "@svc/persistence/containers";
import { createReferenceDataRepository } from "@svc/persistence/reference-data";
import { createShipmentRepository } from "@svc/persistence/shipments";

/** The records that the notifications of one poll include, after its changes. */
export interface NotificationRecords {
  readonly shipment: Shipment;
  readonly containersByNumber: ReadonlyMap<string, Container>;
  readonly resources: RelatedResources;
}

const isThere = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function referenceIds(shipment: Shipment, events: readonly ListedTransportEvent[]): (string | null | undefined)[] {
  const { portOfLading, portOfDischarge, destination, podTerminal, destinationTerminal } = shipment;
  const ofShipment = [portOfLading, portOfDischarge, destination, podTerminal, destinationTerminal];
  return [
    ...ofShipment.map((place) => place?.id),
    ...events.flatMap(({ portId, metroAreaId, terminalId, vesselId }) => [portId, metroAreaId, terminalId, vesselId]),
  ];
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Throws when the shipment is not found: it was written in the same transaction. */
export async function readNotificationRecords(
  sql: Sql,
  accountId: string,
  wanted: {
    readonly shipmentId: string;
    /** Null: every container of the shipment. */
    readonly containerIds: readonly string[] | null;
    readonly events: readonly ListedTransportEvent[];
    readonly vesselIds: readonly (string | null)[];
  },
  baseUrl: string,
): Promise<NotificationRecords> {
  const shipment = await createShipmentRepository(sql).find(accountId, wanted.shipmentId);
  if (shipment === null) throw new Error(`Shipment ${wanted.shipmentId} was written and cannot be read.`);
  const containerIds = distinct(wanted.containerIds ?? shipment.containerIds);
  const containers =
    containerIds.length === 0 ? [] : await createContainerRepository(sql).findMany(accountId, containerIds);
  const links = await createContainerLinkReader(sql).find(accountId, containerIds);
  const referenced = [...referenceIds(shipment, wanted.events), ...wanted.vesselIds].filter(isThere);
  const { ports, metroAreas, terminals, vessels } = await createReferenceDataRepository(sql).findRecords(
    distinct(referenced),
  );
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
    resources: (...ids) => distinct(ids.filter(isThere)).flatMap((id) => byId.get(id) ?? []),
  };
}
