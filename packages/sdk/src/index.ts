export type { AnyResource } from "@svc/jsonapi";
export type { AlertSubscriptionResource } from "@svc/jsonapi/alerts";
export type { AuditEventResource } from "@svc/jsonapi/audit-events";
export type { CarrierConnectionResource, CarrierResource } from "@svc/jsonapi/carrier-connections";
export type {
  ContainerPositionsDocument,
  ContainerResource,
  RouteLocationResource,
  RouteMapDocument,
  RouteResource,
} from "@svc/jsonapi/containers";
export type { ContainerDemurrageResource, DemurrageRuleResource } from "@svc/jsonapi/demurrage";
export type { EdiFileResource, ListedEdiFileResource } from "@svc/jsonapi/edi-files";
export type { ContainerEmissionsResource, EmissionFactorResource } from "@svc/jsonapi/emissions";
export type { ExceptionChargeResource, ExceptionResource } from "@svc/jsonapi/exceptions";
export type {
  ContainerExportRow,
  ContainerOverviewExportRow,
  ShipmentExportRow,
  ShipmentOverviewExportRow,
  TransportEventExportRow,
} from "@svc/jsonapi/exports";
export type { AccountChangeResource, FieldChangeResource, ProvenanceResource } from "@svc/jsonapi/history";
export type { EtaAccuracyResource, TransitTimeResource } from "@svc/jsonapi/lanes";
export type {
  AttemptResource,
  FeedNotificationResource,
  NotificationResource,
  WebhookDeliveryResource,
} from "@svc/jsonapi/notifications";
export type {
  ContainerOverviewResource,
  OverviewCountResource,
  ShipmentOverviewResource,
} from "@svc/jsonapi/overviews";
export type { PartyResource } from "@svc/jsonapi/parties";
export type {
  MetroAreaResource,
  PortResource,
  RailTerminalResource,
  ShippingLineResource,
  TerminalResource,
  VesselResource,
} from "@svc/jsonapi/reference-data";
export type { SavedViewResource } from "@svc/jsonapi/saved-views";
export type { SearchResultResource } from "@svc/jsonapi/search";
export type { ShareLinkResource } from "@svc/jsonapi/share-links";
export type { FreshnessResource, ShipmentResource, TrackingSummaryResource } from "@svc/jsonapi/shipments";
export type { TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
export type { RawEventResource, TransportEventResource } from "@svc/jsonapi/transport-events";
export type {
  EventCategoryResource,
  WebhookNoticeResource,
  WebhookPerformanceResource,
  WebhookResource,
  WebhookStatisticsResource,
} from "@svc/jsonapi/webhooks";
export { type Client, type ClientOptions, createClient } from "./create-client.ts";
export type { ListDocument, MappedList, PageLinks, PageMeta, SingleDocument } from "./documents/document.ts";
export type { AsOf, AsOfParameters, CursorParameters, HistoryParameters, PageParameters } from "./documents/query.ts";
export {
  ApiError,
  type ApiFault,
  AuthenticationError,
  AuthorizationError,
  ConflictError,
  FeatureNotEnabledError,
  NetworkError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  SvcError,
  TimeoutError,
  UpstreamError,
  UsageError,
  ValidationError,
} from "./errors.ts";
export type { Format, Formatted } from "./format.ts";
export { type ResponseReader, withEntityTag } from "./http/entity-tag.ts";
export type { CallOptions, FetchLike } from "./http/transport.ts";
export type { MappedRecord } from "./mapped/camelize.ts";
export type { MappedContainer } from "./mapped/mapped-container.ts";
export type { MappedRoute, MappedRouteLocation } from "./mapped/mapped-route.ts";
export type { MappedShipment } from "./mapped/mapped-shipment.ts";
export type { MappedTerminal } from "./mapped/mapped-terminal.ts";
export type { MappedTrackingRequest } from "./mapped/mapped-tracking-request.ts";
export type { MappedTransportEvent } from "./mapped/mapped-transport-event.ts";
export type { AlertSubscriptionEdit, NewAlertSubscription } from "./resources/alert-subscriptions.ts";
export type { AuditEventFilters, AuditEventParameters } from "./resources/audit-events.ts";
export type { ConnectionCredentials, NewCarrierConnection } from "./resources/carrier-connections.ts";
export { credentialsOfChoice, fieldsToAsk } from "./resources/catalogue-credentials.ts";
export type {
  ContainerEdit,
  ContainerFilters,
  ContainerListParameters,
  TransportEventFilters,
} from "./resources/containers.ts";
export type {
  CustomFieldDefinitionEdit,
  CustomFieldDefinitionFilters,
  CustomFieldFilters,
  CustomFieldOwner,
  CustomFieldValue,
  NewCustomFieldDefinition,
} from "./resources/custom-fields.ts";
export type { DemurrageRuleEdit, NewDemurrageRule } from "./resources/demurrage-rules.ts";
export type { EdiFileDescription, EdiFileFilters, EdiFileParameters } from "./resources/edi-files.ts";
export type { EmissionFactorEdit, NewEmissionFactor } from "./resources/emission-factors.ts";
export type { EventFile } from "./resources/event-imports.ts";
export type { ExceptionEdit, ExceptionFilters, ExceptionParameters } from "./resources/exceptions.ts";
export type { ListExportParameters } from "./resources/exports.ts";
export type { NotificationFilters, NotificationListParameters } from "./resources/notifications.ts";
export type {
  AccountChangeFilters,
  CountOptions,
  OverviewFilters,
  OverviewGrouping,
  OverviewParameters,
  ShipmentOverviewFilters,
  ShipmentOverviewParameters,
} from "./resources/overviews.ts";
export type { PartyFilters, PartyParameters } from "./resources/parties.ts";
export type { CreateOptions, ReadOptions, WriteOptions } from "./resources/reader.ts";
export type { VesselLeg, VesselLegFrom } from "./resources/reference-data.ts";
export type { NewSavedView, SavedViewEdit, SavedViewFilters, SavedViewParameters } from "./resources/saved-views.ts";
export type { SearchDocument } from "./resources/search.ts";
export type { NewShareLink, ShareLinkFilters, ShareLinkParameters } from "./resources/share-links.ts";
export type { ShipmentEdit, ShipmentFilters, ShipmentListParameters } from "./resources/shipments.ts";
export type {
  BulkOutcome,
  BulkResult,
  InferredNumber,
  NewTrackingRequest,
  TrackingRequestFilters,
  TrackingRequestListParameters,
} from "./resources/tracking-requests.ts";
export type { FeedPlace, NewWebhook, TriggerResult } from "./resources/webhooks.ts";
