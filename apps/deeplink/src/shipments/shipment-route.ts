import { type Container, notFound, type TransportEvent } from "@svc/domain";
import {
  createContainerRepository,
  createIncludedReferenceData,
  createShipmentRepository,
  createTransportEventRepository,
  type Database,
} from "@svc/persistence";
import type { Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { sendPage } from "../http/send-page.ts";
import type { KnownNames } from "./known-names.ts";
import { shipmentPage } from "./shipment-page.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/** `GET /shipments/{id}?container={container_id}`. Throws `TrackingError` `not_found`, also for another account's id. */
export function shipmentRoute(database: Database, apiBaseUrl: string) {
  const { sql, tenantSql } = database;
  const shipments = createShipmentRepository(tenantSql);
  const containers = createContainerRepository(tenantSql);
  const events = createTransportEventRepository(tenantSql);
  const referenceData = createIncludedReferenceData(sql);

  /** The names of all that the events and the shipment mention by id. */
  const readNames = async (timeline: readonly TransportEvent[], terminalIds: readonly (string | null)[]) => {
    const [ports, metroAreas, terminals, vessels] = await Promise.all([
      referenceData.ports(present(timeline.map((event) => event.portId))),
      referenceData.metroAreas(present(timeline.map((event) => event.metroAreaId))),
      referenceData.terminals(present([...timeline.map((event) => event.terminalId), ...terminalIds])),
      referenceData.vessels(present(timeline.map((event) => event.vesselId))),
    ]);
    const names = [...ports, ...metroAreas, ...terminals, ...vessels].map(({ id, name }) => [id, name] as const);
    return new Map(names) satisfies KnownNames;
  };

  return async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const { accountId } = caller;
    const id = String(request.params.id);
    const shipment = uuid.test(id) ? await shipments.find(accountId, id) : null;
    if (!shipment) throw notFound("shipment", id);
    const wanted = typeof request.query.container === "string" ? request.query.container.toLowerCase() : null;
    const known = wanted !== null && shipment.containerIds.includes(wanted);
    const selectedId = known ? wanted : (shipment.containerIds[0] ?? null);
    const [boxes, timeline] = await Promise.all([
      containers.findMany(accountId, shipment.containerIds),
      selectedId === null ? [] : events.findOfContainers(accountId, [selectedId]),
    ]);
    const byNumber = (one: Container, other: Container) => (one.number < other.number ? -1 : 1);
    const terminalIds = [shipment.podTerminal?.id ?? null, shipment.destinationTerminal?.id ?? null];
    const page = shipmentPage({
      caller,
      apiBaseUrl,
      shipment,
      containers: boxes.sort(byNumber),
      selectedId,
      unknownContainer: wanted !== null && !known,
      timeline,
      names: await readNames(timeline, terminalIds),
    });
    sendPage(response, 200, page);
  };
}
