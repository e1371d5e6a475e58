import { z } from "zod";
import { AlertSubscriptionResource } from "./alerts/alert-subscription-resource.ts";
import { AuditEventResource } from "./audit-events/audit-event-resource.ts";
import { CarrierConnectionResource } from "./carrier-connections/carrier-connection-resource.ts";
import { CarrierResource } from "./carrier-connections/carrier-resource.ts";
import { ContainerResource } from "./containers/container-resource.ts";
import { RouteLocationResource } from "./containers/route-location-resource.ts";
import { RouteResource } from "./containers/route-resource.ts";
import {
  CustomFieldDefinitionResource,
  CustomFieldOptionResource,
  CustomFieldResource,
} from "./custom-fields/custom-field-resources.ts";
import { ContainerDemurrageResource } from "./demurrage/container-demurrage-resource.ts";
import { DemurrageRuleResource } from "./demurrage/demurrage-rule-resource.ts";
import { EdiFileResource } from "./edi-files/edi-file-resource.ts";
import { ContainerEmissionsResource } from "./emissions/container-emissions-resource.ts";
import { EmissionFactorResource } from "./emissions/emission-factor-resource.ts";
import { EventImportResource } from "./event-imports/event-import-resource.ts";
import { ExceptionChargeResource, ExceptionResource } from "./exceptions/exception-resource.ts";
import { AccountChangeResource } from "./history/account-change-resource.ts";
import { FieldChangeResource } from "./history/field-change-resource.ts";
import { ProvenanceResource } from "./history/provenance-resource.ts";
import { EtaAccuracyResource } from "./lanes/eta-accuracy-resource.ts";
import { TransitTimeResource } from "./lanes/transit-time-resource.ts";
import { AttemptResource } from "./notifications/attempt-resource.ts";
import { WebhookDeliveryResource } from "./notifications/delivery-resource.ts";
import { NotificationResource } from "./notifications/notification-resource.ts";
import {
  ContainerOverviewResource,
  OverviewCountResource,
  ShipmentOverviewResource,
} from "./overviews/overview-resources.ts";
import { PartyResource } from "./parties/party-resource.ts";
import { MetroAreaResource } from "./reference-data/metro-area-resource.ts";
import { PortResource } from "./reference-data/port-resource.ts";
import { ShippingLineResource } from "./reference-data/shipping-line-resource.ts";
import { RailTerminalResource, TerminalResource } from "./reference-data/terminal-resource.ts";
import { VesselResource } from "./reference-data/vessel-resource.ts";
import { SavedViewResource } from "./saved-views/saved-view-resource.ts";
import { SearchResultResource } from "./search/search-result-resource.ts";
import { ShareLinkResource } from "./share-links/share-link-resource.ts";
import { FreshnessResource } from "./shipments/freshness-resource.ts";
import { ShipmentResource } from "./shipments/shipment-resource.ts";
import { TrackingSummaryResource } from "./shipments/tracking-summary-resource.ts";
import { TrackingRequestResource } from "./tracking-requests/tracking-request-resource.ts";
import { RawEventResource } from "./transport-events/raw-event-resource.ts";
import { TransportEventResource } from "./transport-events/transport-event-resource.ts";
import { EventCategoryResource } from "./webhooks/event-category-resource.ts";
import { WebhookNoticeResource } from "./webhooks/webhook-notice-resource.ts";
import { WebhookPerformanceResource } from "./webhooks/webhook-performance-resource.ts";
import { WebhookResource } from "./webhooks/webhook-resource.ts";
import { WebhookStatisticsResource } from "./webhooks/webhook-statistics-resource.ts";

/** The resources in documents of the API. */
export const resourceSchemas = {
  shipment: ShipmentResource,
  container: ContainerResource,
  route: RouteResource,
  route_location: RouteLocationResource,
  transport_event: TransportEventResource,
  tracking_request: TrackingRequestResource,
  port: PortResource,
  metro_area: MetroAreaResource,
  terminal: TerminalResource,
  rail_terminal: RailTerminalResource,
  vessel: VesselResource,
  shipping_line: ShippingLineResource,
  party: PartyResource,
  carrier: CarrierResource,
  carrier_connection: CarrierConnectionResource,
  edi_file: EdiFileResource,
  event_import: EventImportResource,
  webhook: WebhookResource,
  webhook_notice: WebhookNoticeResource,
  webhook_performance: WebhookPerformanceResource,
  webhook_statistics: WebhookStatisticsResource,
  webhook_notification: NotificationResource,
  webhook_delivery: WebhookDeliveryResource,
  webhook_notification_attempt: AttemptResource,
  webhook_event_category: EventCategoryResource,
  field_change: FieldChangeResource,
  account_change: AccountChangeResource,
  container_overview: ContainerOverviewResource,
  shipment_overview: ShipmentOverviewResource,
  overview_count: OverviewCountResource,
  exception: ExceptionResource,
  exception_charge: ExceptionChargeResource,
  saved_view: SavedViewResource,
  share_link: ShareLinkResource,
  alert_subscription: AlertSubscriptionResource,
  audit_event: AuditEventResource,
  demurrage_rule: DemurrageRuleResource,
  container_demurrage: ContainerDemurrageResource,
  emission_factor: EmissionFactorResource,
  container_emissions: ContainerEmissionsResource,
  provenance: ProvenanceResource,
  freshness: FreshnessResource,
  tracking_summary: TrackingSummaryResource,
  eta_accuracy: EtaAccuracyResource,
  transit_time: TransitTimeResource,
  raw_event: RawEventResource,
  search_result: SearchResultResource,
  custom_field: CustomFieldResource,
  custom_field_definition: CustomFieldDefinitionResource,
  custom_field_option: CustomFieldOptionResource,
} as const;

export type ResourceType = keyof typeof resourceSchemas;

/** The relationships that `include` follows, with their targets. */
export const includable: Readonly<Record<ResourceType, Readonly<Record<string, readonly ResourceType[]>>>> = {
  shipment: {
    containers: ["container"],
    port_of_lading: ["port"],
    port_of_discharge: ["port"],
    destination: ["port", "metro_area"],
    pod_terminal: ["terminal"],
    destination_terminal: ["terminal", "rail_terminal"],
  },
  container: {
    shipment: ["shipment"],
    pod_terminal: ["terminal"],
    pickup_facility: ["terminal"],
    transport_events: ["transport_event"],
    raw_events: ["raw_event"],
  },
  route: { cargo: ["container"], shipment: ["shipment"], route_locations: ["route_location"] },
  route_location: {
    location: ["port", "metro_area"],
    facility: ["terminal", "rail_terminal"],
    inbound_vessel: ["vessel"],
    outbound_vessel: ["vessel"],
  },
  transport_event: {
    shipment: ["shipment"],
    container: ["container"],
    vessel: ["vessel"],
    location: ["port", "metro_area"],
    terminal: ["terminal", "rail_terminal"],
  },
  tracking_request: { tracked_object: ["shipment"], customer: ["party"] },
  terminal: { port: ["port"] },
  rail_terminal: { port: ["port"], metro_area: ["metro_area"] },
  port: {},
  metro_area: {},
  vessel: {},
  shipping_line: {},
  party: {},
  carrier: {},
  carrier_connection: {},
  edi_file: {},
  event_import: {},
  webhook: {},
  webhook_notice: {},
  webhook_performance: {},
  webhook_statistics: {},
  webhook_notification: { webhook: ["webhook"] },
  webhook_delivery: {},
  webhook_notification_attempt: {},
  webhook_event_category: {},
  field_change: {},
  account_change: {},
  container_overview: {},
  shipment_overview: {},
  overview_count: {},
  exception_charge: {},
  exception: { shipment: ["shipment"], container: ["container"], tracking_request: ["tracking_request"] },
  saved_view: {},
  share_link: { shipment: ["shipment"] },
  alert_subscription: {},
  audit_event: {},
  demurrage_rule: {},
  container_demurrage: {},
  emission_factor: {},
  container_emissions: {},
  provenance: {},
  freshness: {},
  tracking_summary: {},
  eta_accuracy: {},
  transit_time: {},
  raw_event: { container: ["container"], location: ["port", "metro_area"], vessel: ["vessel"] },
  search_result: {},
  custom_field: {
    entity: ["shipment", "container", "tracking_request"],
    definition: ["custom_field_definition"],
  },
  custom_field_definition: {},
  custom_field_option: {},
};

/** The allowed names in `fields[type]`. */
export function fieldNames(type: ResourceType): ReadonlySet<string> {
  const { attributes, ...rest } = resourceSchemas[type].shape;
  const relationships =
    "relationships" in rest && rest.relationships instanceof z.ZodObject ? rest.relationships : null;
  return new Set([...Object.keys(attributes.shape), ...Object.keys(relationships?.shape ?? {})]);
}

/** All attributes of the resource, to distinguish read-only from unknown ones. */
export function attributeNames(type: ResourceType): string[] {
  return Object.keys(resourceSchemas[type].shape.attributes.shape);
}
