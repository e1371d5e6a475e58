import type { AlertSubscriptionResource } from "@svc/jsonapi/alerts";
import type { AuditEventResource } from "@svc/jsonapi/audit-events";
import type { CarrierConnectionResource, CarrierResource } from "@svc/jsonapi/carrier-connections";
import type { ContainerResource, RouteResource } from "@svc/jsonapi/containers";
import type {
  CustomFieldDefinitionResource,
  CustomFieldOptionResource,
  CustomFieldResource,
} from "@svc/jsonapi/custom-fields";
import type { ContainerDemurrageResource, DemurrageRuleResource } from "@svc/jsonapi/demurrage";
import type { EdiFileResource, ListedEdiFileResource } from "@svc/jsonapi/edi-files";
import type { ContainerEmissionsResource, EmissionFactorResource } from "@svc/jsonapi/emissions";
import type { EventImportResource } from "@svc/jsonapi/event-imports";
import type { ExceptionChargeResource, ExceptionResource } from "@svc/jsonapi/exceptions";
import type { AccountChangeResource, FieldChangeResource, ProvenanceResource } from "@svc/jsonapi/history";
import type { EtaAccuracyResource, TransitTimeResource } from "@svc/jsonapi/lanes";
import type {
  AttemptResource,
  FeedNotificationResource,
  NotificationResource,
  WebhookDeliveryResource,
} from "@svc/jsonapi/notifications";
import type {
  ContainerOverviewResource,
  OverviewCountResource,
  ShipmentOverviewResource,
} from "@svc/jsonapi/overviews";
import type { PartyResource } from "@svc/jsonapi/parties";
import type {
  MetroAreaResource,
  PortResource,
  RailTerminalResource,
  ShippingLineResource,
  TerminalResource,
  VesselResource,
} from "@svc/jsonapi/reference-data";
import type { SavedViewResource } from "@svc/jsonapi/saved-views";
import type { ShareLinkResource } from "@svc/jsonapi/share-links";
import type { FreshnessResource, ShipmentResource, TrackingSummaryResource } from "@svc/jsonapi/shipments";
import type { TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
import type { RawEventResource, TransportEventResource } from "@svc/jsonapi/transport-events";
import type {
  WebhookNoticeResource,
  WebhookPerformanceResource,
  WebhookResource,
  WebhookStatisticsResource,
} from "@svc/jsonapi/webhooks";
import { type MappedRecord, mapRecord } from "../mapped/camelize.ts";
import { type MappedContainer, mapContainer } from "../mapped/mapped-container.ts";
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
export const accountChangeKind = plainKind<AccountChangeResource>();
export const containerOverviewKind = plainKind<ContainerOverviewResource>();
export const shipmentOverviewKind = plainKind<ShipmentOverviewResource>();
export const overviewCountKind = plainKind<OverviewCountResource>();
export const exceptionKind = plainKind<ExceptionResource>();
export const exceptionChargeKind = plainKind<ExceptionChargeResource>();
/** The filters keep their names, which are those of a later write. */
export const savedViewKind: RecordKind<
  SavedViewResource,
  Omit<MappedRecord<SavedViewResource>, "filters"> & Pick<SavedViewResource["attributes"], "filters">
> = {
  include: [],
  map: (resource) => ({ ...mapRecord(resource), filters: resource.attributes.filters }),
};
export const auditEventKind = plainKind<AuditEventResource>();
export const shareLinkKind = plainKind<ShareLinkResource>();
export const alertSubscriptionKind = plainKind<AlertSubscriptionResource>();
export const demurrageRuleKind = plainKind<DemurrageRuleResource>();
export const containerDemurrageKind = plainKind<ContainerDemurrageResource>();
export const emissionFactorKind = plainKind<EmissionFactorResource>();
export const containerEmissionsKind = plainKind<ContainerEmissionsResource>();
export const provenanceKind = plainKind<ProvenanceResource>();
export const trackingSummaryKind = plainKind<TrackingSummaryResource>();
export const freshnessKind = plainKind<FreshnessResource>();
export const transitTimeKind = plainKind<TransitTimeResource>();
export const etaAccuracyKind = plainKind<EtaAccuracyResource>();
export const rawEventKind = plainKind<RawEventResource>();
export const attemptKind = plainKind<AttemptResource>();
/** The body stays as it is on the wire: it is what a delivery posts. */
export const feedNotificationKind: RecordKind<
  FeedNotificationResource,
  Omit<MappedRecord<FeedNotificationResource>, "body"> & Pick<FeedNotificationResource["attributes"], "body">
> = {
  include: [],
  map: (resource) => ({ ...mapRecord(resource), body: resource.attributes.body }),
};
export const notificationKind = plainKind<NotificationResource>();
export const carrierKind = plainKind<CarrierResource>();
export const carrierConnectionKind = plainKind<CarrierConnectionResource>();
export const ediFileKind = plainKind<EdiFileResource>();
export const listedEdiFileKind = plainKind<ListedEdiFileResource>();
export const eventImportKind = plainKind<EventImportResource>();
export const webhookNoticeKind = plainKind<WebhookNoticeResource>();
export const webhookDeliveryKind = plainKind<WebhookDeliveryResource>();
export const webhookPerformanceKind = plainKind<WebhookPerformanceResource>();
export const webhookStatisticsKind = plainKind<WebhookStatisticsResource>();
export const webhookKind = plainKind<WebhookResource>();
export const partyKind = plainKind<PartyResource>();
export const customFieldKind = plainKind<CustomFieldResource>();
export const customFieldDefinitionKind = plainKind<CustomFieldDefinitionResource>();
export const customFieldOptionKind = plainKind<CustomFieldOptionResource>();
