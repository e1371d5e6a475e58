export { ContainerResource, containerResource } from "./containers/container-resource.ts";
export {
  ContainerCreatedEventResource,
  containerCreatedEventResource,
} from "./notifications/container-created-event-resource.ts";
export {
  ContainerPodTerminalChangedEventResource,
  containerPodTerminalChangedEventResource,
} from "./notifications/container-pod-terminal-changed-event-resource.ts";
export {
  ContainerUpdatedEventResource,
  containerUpdatedEventResource,
} from "./notifications/container-updated-event-resource.ts";
export { EstimatedEventResource, estimatedEventResource } from "./notifications/estimated-event-resource.ts";
export { type NotificationEnvelope, notificationEnvelope } from "./notifications/notification-envelope.ts";
export { NotificationResource, notificationResource } from "./notifications/notification-resource.ts";
export { PartyResource, partyResource } from "./parties/party-resource.ts";
export { MetroAreaResource, metroAreaResource } from "./reference-data/metro-area-resource.ts";
export { PortResource, portResource } from "./reference-data/port-resource.ts";
export { ShippingLineResource, shippingLineResource } from "./reference-data/shipping-line-resource.ts";
export { RailTerminalResource, TerminalResource, terminalResource } from "./reference-data/terminal-resource.ts";
export { VesselResource, vesselResource } from "./reference-data/vessel-resource.ts";
export type { AnyResource, Identifier } from "./resource.ts";
export { ShipmentResource, shipmentResource } from "./shipments/shipment-resource.ts";
export { TrackingRequestResource, trackingRequestResource } from "./tracking-requests/tracking-request-resource.ts";
export {
  type TransportEventRecord,
  TransportEventResource,
  transportEventResource,
} from "./transport-events/transport-event-resource.ts";
export { WebhookResource, webhookResource } from "./webhooks/webhook-resource.ts";
