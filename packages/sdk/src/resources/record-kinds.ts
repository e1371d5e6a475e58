import type {
  AttemptResource,
  ContainerResource,
  FeedNotificationResource,
  FieldChangeResource,
  MetroAreaResource,
  NotificationResource,
  PartyResource,
  PortResource,
  RailTerminalResource,
  RawEventResource,
  ShipmentResource,
  ShippingLineResource,
  TerminalResource,
  TrackingRequestResource,
  TransportEventResource,
  VesselResource,
  WebhookResource,
} from "@svc/jsonapi";
import type { RouteResource } from "../documents/route-document.ts";
import { type MappedContainer, mapContainer } from "../mapped/mapped-container.ts";
import { type MappedRecord, mapRecord } from "../mapped/mapped-record.ts";
import { type MappedRoute, mapRoute } from "../mapped/mapped-route.ts";
import { type MappedShipment, mapShipment } from "../mapped/mapped-shipment.ts";
import { type MappedTrackingRequest, mapTrackingRequest } from "../mapped/mapped-tracking-request.ts";
import { type MappedTransportEvent, mapTransportEvent } from "../mapped/mapped-transport-event.ts";
import type { RecordKind } from "./reader.ts";

export const shipmentKind: RecordKind<ShipmentResource, MappedShipment> = {
  include: ["containers", "pod_terminal", "destination_terminal"],
  map: mapShipment,
};

export const containerKind: RecordKind<ContainerResource, MappedContainer> = {
  include: ["shipment", "pod_terminal", "pickup_facility"],
  map: mapContainer,
};

export const trackingRequestKind: RecordKind<TrackingRequestResource, MappedTrackingRequest> = {
  include: ["tracked_object"],
  map: mapTrackingRequest,
};

export const transportEventKind: RecordKind<TransportEventResource, MappedTransportEvent> = {
  include: ["location", "terminal", "vessel"],
  map: mapTransportEvent,
};

export const routeKind: RecordKind<RouteResource, MappedRoute> = {
  include: ["port", "vessel", "route_location"],
  map: mapRoute,
};

function plainKind<Resource extends { id: string; attributes: object }>(): RecordKind<
  Resource,
  MappedRecord<Resource>
> {
  return { include: [], map: mapRecord };
}

export const shippingLineKind = plainKind<ShippingLineResource>();
export const portKind = plainKind<PortResource>();
export const metroAreaKind = plainKind<MetroAreaResource>();
export const terminalKind = plainKind<TerminalResource | RailTerminalResource>();
export const vesselKind = plainKind<VesselResource>();
export const fieldChangeKind = plainKind<FieldChangeResource>();
export const rawEventKind = plainKind<RawEventResource>();
export const attemptKind = plainKind<AttemptResource>();
export const feedNotificationKind = plainKind<FeedNotificationResource>();
export const notificationKind = plainKind<NotificationResource>();
export const webhookKind = plainKind<WebhookResource>();
export const partyKind = plainKind<PartyResource>();
