export type {
  AccountChangeResource,
  AnyResource,
  AttemptResource,
  CarrierConnectionResource,
  CarrierResource,
  ContainerExportRow,
  ContainerOverviewResource,
  ContainerResource,
  EtaAccuracyResource,
  EventCategoryResource,
  ExceptionResource,
  FeedNotificationResource,
  FieldChangeResource,
  FreshnessResource,
  MetroAreaResource,
  NotificationResource,
  OverviewCountResource,
  PartyResource,
  PortResource,
  ProvenanceResource,
  RailTerminalResource,
  RawEventResource,
  RouteLocationResource,
  RouteMapDocument,
  RouteResource,
  SearchResultResource,
  ShipmentExportRow,
  ShipmentOverviewResource,
  ShipmentResource,
  ShippingLineResource,
  TerminalResource,
  TrackingRequestResource,
  TransportEventExportRow,
  TransportEventResource,
  VesselResource,
  WebhookResource,
} from "@svc/jsonapi";
export { type Client, type ClientOptions, createClient } from "./create-client.ts";
export type { ListDocument, MappedList, PageLinks, PageMeta, SingleDocument } from "./documents/document.ts";
export type { AsOf, AsOfParameters, HistoryParameters, PageParameters } from "./documents/query.ts";
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
export type { CallOptions, FetchLike } from "./http/transport.ts";
export type { MappedContainer } from "./mapped/mapped-container.ts";
export type { MappedRecord } from "./mapped/mapped-record.ts";
export type { MappedRoute, MappedRouteLocation } from "./mapped/mapped-route.ts";
export type { MappedShipment } from "./mapped/mapped-shipment.ts";
export type { MappedTerminal } from "./mapped/mapped-terminal.ts";
export type { MappedTrackingRequest } from "./mapped/mapped-tracking-request.ts";
export type { MappedTransportEvent } from "./mapped/mapped-transport-event.ts";
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
export type { EventFile } from "./resources/event-imports.ts";
export type { ExceptionEdit, ExceptionFilters, ExceptionParameters } from "./resources/exceptions.ts";
export type { NotificationFilters, NotificationListParameters } from "./resources/notifications.ts";
export type { OverviewFilters, OverviewGrouping, OverviewParameters } from "./resources/overviews.ts";
export type { CreateOptions, ReadOptions, WriteOptions } from "./resources/reader.ts";
export type { VesselWay, VesselWayFrom } from "./resources/reference-data.ts";
export type { SearchDocument } from "./resources/search.ts";
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
