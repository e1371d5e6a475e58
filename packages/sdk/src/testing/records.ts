import { instant } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import type { Terminal } from "@svc/domain/reference-data";
import type { Shipment } from "@svc/domain/shipments";
import { type ContainerResource, containerResource, withContainerLinks } from "@svc/jsonapi/containers";
import { terminalResource } from "@svc/jsonapi/reference-data";
import { type ShipmentResource, shipmentResource } from "@svc/jsonapi/shipments";

export const shipmentId = "0197a1b2-0000-7000-8000-000000000001";
export const containerId = "0197a1b2-0000-7000-8000-000000000002";
export const terminalId = "0197a1b2-0000-7000-8000-000000000003";
const portId = "0197a1b2-0000-7000-8000-000000000004";
const baseUrl = "http://api.test/v2";

const shipment: Shipment = {
  id: shipmentId,
  billOfLadingNumber: "MAEU123456789",
  normalizedNumber: "123456789",
  refNumbers: ["PO-1"],
  tags: ["urgent"],
  note: null,
  shippingLineScac: "MAEU",
  shippingLineName: "Maersk Line",
  shippingLineShortName: "Maersk",
  customerName: null,
  portOfLading: { id: portId, kind: "port", locode: "CNSHA", name: "Shanghai", timeZone: "Asia/Shanghai" },
  portOfDischarge: { id: portId, kind: "port", locode: "USLAX", name: "Los Angeles", timeZone: "America/Los_Angeles" },
  destination: null,
  podTerminal: { id: terminalId, kind: "terminal" },
  destinationTerminal: null,
  podVesselName: "EVER TEST",
  podVesselImo: "9811000",
  podVoyageNumber: "021E",
  polEtdAt: instant("2026-10-01T00:00:00Z"),
  polOriginalEtdAt: null,
  polAtdAt: instant("2026-10-02T00:00:00Z"),
  podEtaAt: instant("2026-10-20T00:00:00Z"),
  podOriginalEtaAt: instant("2026-10-18T00:00:00Z"),
  podAtaAt: null,
  destinationEtaAt: null,
  destinationOriginalEtaAt: null,
  destinationAtaAt: null,
  lineTrackingLastAttemptedAt: null,
  lineTrackingLastSucceededAt: null,
  lineTrackingStoppedAt: null,
  lineTrackingStoppedReason: null,
  lineTrackingStoppedByUserId: null,
  containerIds: [containerId],
  rowVersion: 1,
  createdAt: instant("2026-09-30T00:00:00Z"),
  updatedAt: instant("2026-09-30T00:00:00Z"),
};

const container: Container = {
  id: containerId,
  shipmentId,
  number: "MSKU0000006",
  refNumbers: [],
  currentStatus: "on_ship",
  equipmentType: "dry",
  equipmentLength: 40,
  equipmentHeight: "high_cube",
  weightInLbs: null,
  sealNumber: null,
  availabilityKnown: true,
  availableForPickup: false,
  pickupLfd: instant("2026-10-25T07:00:00Z"),
  pickupLfdTerminal: instant("2026-10-25T07:00:00Z"),
  pickupLfdRail: null,
  pickupLfdLine: null,
  pickupAppointmentAt: null,
  pickupFacility: null,
  podTerminalId: terminalId,
  locationAtPodTerminal: null,
  terminalCheckedAt: null,
  holdsAtPodTerminal: [{ name: "customs", status: "hold", description: "CBP hold" }],
  feesAtPodTerminal: [{ type: "demurrage", amount: 120, currencyCode: "USD" }],
  emptyOutAt: null,
  polFullInAt: null,
  polVesselLoadedAt: null,
  polVesselDepartedAt: null,
  podEtaAt: null,
  podOriginalEtaAt: null,
  podVesselName: null,
  podVesselImo: null,
  podVoyageNumber: null,
  podArrivedAt: null,
  podDischargedAt: null,
  podFullOutAt: null,
  podFullOutChassisNumber: null,
  podTimezone: "America/Los_Angeles",
  podRailCarrierScac: null,
  indRailCarrierScac: null,
  podRailLoadedAt: null,
  podRailDepartedAt: null,
  indEtaAt: null,
  indAtaAt: null,
  indRailUnloadedAt: null,
  finalDestinationFullOutAt: null,
  finalDestinationTimezone: null,
  deliveredAt: null,
  emptyTerminatedAt: null,
  emptyTerminatedTimezone: null,
  shipmentLastTrackingRequestAt: null,
  rowVersion: 1,
  createdAt: instant("2026-09-30T00:00:00Z"),
  updatedAt: instant("2026-09-30T00:00:00Z"),
};

const terminal: Terminal = {
  id: terminalId,
  kind: "terminal",
  portId,
  metroAreaId: null,
  name: "Pier 400",
  nickname: null,
  firmsCode: "W185",
  smdgCode: "AP400",
  bicFacilityCode: null,
  street: "2500 Navy Way",
  city: "Terminal Island",
  state: "California",
  stateAbbr: "CA",
  zip: "90731",
  country: "United States",
};

/** A shipment on the wire, made by the API's own serializer. */
export function wireShipment(changes: Partial<Shipment> = {}): ShipmentResource {
  return shipmentResource({ ...shipment, ...changes }, baseUrl);
}

export function wireContainer(changes: Partial<Container> = {}, eventIds?: readonly string[]): ContainerResource {
  const resource = containerResource({ ...container, ...changes }, baseUrl);
  return eventIds ? withContainerLinks(resource, { transportEventIds: eventIds, rawEventIds: [] }) : resource;
}

export function wireTerminal() {
  return terminalResource(terminal, baseUrl);
}
