export {
  createCarrierConnectionDocument,
  credentialsOf,
  editCarrierConnectionDocument,
} from "./carrier-connections/carrier-connection-documents.ts";
export {
  CarrierConnectionResource,
  carrierConnectionResource,
} from "./carrier-connections/carrier-connection-resource.ts";
export { CarrierResource, carrierResource } from "./carrier-connections/carrier-resource.ts";
export { ContainerResource, containerResource, withContainerLinks } from "./containers/container-resource.ts";
export { editContainerDocument } from "./containers/edit-container-document.ts";
export { RouteLocationResource, routeLocationResource } from "./containers/route-location-resource.ts";
export { routeMapDocument } from "./containers/route-map-document.ts";

export { RouteMapDocument } from "./containers/route-map-schema.ts";
export { RouteResource, routeResource } from "./containers/route-resource.ts";
export {
  createCustomFieldDefinitionDocument,
  createCustomFieldDocument,
  createCustomFieldOptionDocument,
  editCustomFieldDefinitionDocument,
  editCustomFieldDocument,
  editCustomFieldOptionDocument,
  putCustomFieldDocument,
} from "./custom-fields/custom-field-documents.ts";
export {
  CustomFieldDefinitionResource,
  CustomFieldOptionResource,
  CustomFieldResource,
  customFieldDefinitionResource,
  customFieldOptionResource,
  customFieldResource,
  wireTypeOfEntity,
} from "./custom-fields/custom-field-resources.ts";
export type { CustomFieldValidationObject } from "./custom-fields/custom-field-value.ts";
export { asksForPage, linkHeader, linksOfDocument, linksOfWhole, pageLinks } from "./documents/page-links.ts";
export {
  documentAsOf,
  documentOf,
  pageOf,
  type ResourceDocument,
  resourceDocument,
  wholeListOrPageOf,
} from "./documents/resource-document.ts";
export { refNumbers, tags, text } from "./documents/text.ts";
export {
  idInBody,
  readPlainBody,
  readResourceObject,
  readWriteDocument,
  sendsReadOnly,
  type WriteDocument,
  type WrittenResource,
  writeDocumentSchema,
} from "./documents/write-document.ts";
export { errorMeanings } from "./error-meanings.ts";
export {
  type ErrorContext,
  ErrorDocument,
  ErrorObject,
  errorAnchor,
  errorCodes,
  statusOf,
  toErrorDocument,
} from "./errors.ts";
export { EtaAccuracyResource, etaAccuracyResource } from "./eta-accuracy/eta-accuracy-resource.ts";
export { EventImportResource, eventImportResource } from "./event-imports/event-import-resource.ts";
export { editExceptionDocument } from "./exceptions/edit-exception-document.ts";
export { ExceptionResource, exceptionResource } from "./exceptions/exception-resource.ts";
export { csvLine } from "./exports/csv.ts";
export { decodeExportCursor, encodeExportCursor } from "./exports/export-cursor.ts";
export {
  ContainerExportRow,
  containerExportRow,
  exportParameters,
  ShipmentExportRow,
  shipmentExportRow,
  TransportEventExportRow,
  transportEventExportRow,
} from "./exports/export-row.ts";
export { AccountChangeResource, accountChangeResource } from "./history/account-change-resource.ts";
export { FieldChangeResource, fieldChangeResource } from "./history/field-change-resource.ts";
export { ProvenanceResource, provenanceResource } from "./history/provenance-resource.ts";
export {
  csvMediaType,
  cursorProfile,
  documentMediaTypes,
  geoJsonMediaType,
  isSupportedContentType,
  jsonApiMediaType,
  jsonLinesMediaType,
  jsonMediaType,
  negotiate,
} from "./http/media-types.ts";
export { AttemptResource, attemptResource } from "./notifications/attempt-resource.ts";
export { ContainerCreatedEventResource } from "./notifications/container-created-event-resource.ts";
export { ContainerPodTerminalChangedEventResource } from "./notifications/container-pod-terminal-changed-event-resource.ts";
export { ContainerUpdatedEventResource } from "./notifications/container-updated-event-resource.ts";
export { EstimatedEventResource } from "./notifications/estimated-event-resource.ts";
export { FeedNotificationResource, feedNotificationResource } from "./notifications/feed-notification-resource.ts";
export {
  containerCreatedContent,
  containerUpdatedContent,
  estimatedEventContent,
  exceptionContent,
  type NotificationContent,
  podTerminalChangedContent,
  type RelatedResources,
  trackingRequestContent,
  transportEventContent,
  webhookNoticeContent,
} from "./notifications/notification-content.ts";
export {
  NotificationDocument,
  type NotificationEnvelope,
  NotificationExamples,
  notificationEnvelope,
} from "./notifications/notification-envelope.ts";
export { NotificationResource, notificationResource } from "./notifications/notification-resource.ts";
export {
  ContainerOverviewResource,
  containerOverviewResource,
  OverviewCountResource,
  overviewCountResource,
  ShipmentOverviewResource,
  shipmentOverviewResource,
} from "./overviews/overview-resources.ts";
export { partyDocument } from "./parties/party-documents.ts";
export { PartyResource, partyResource } from "./parties/party-resource.ts";
export {
  decimal,
  deprecated,
  freeTexts,
  ids,
  localDate,
  moment,
  oneChoice,
  oneOf,
  oneText,
  texts,
  wholeNumber,
  yesOrNo,
} from "./query/parameters.ts";
export {
  maxOffset,
  maxPageSize,
  type Parameter,
  type QueryDefinition,
  type SortKeyOf,
} from "./query/query-definition.ts";
export { type Query, readQuery, type SparseFields } from "./query/read-query.ts";
export { MetroAreaResource, metroAreaResource } from "./reference-data/metro-area-resource.ts";
export { PortResource, portResource } from "./reference-data/port-resource.ts";
export { ShippingLineResource, shippingLineResource } from "./reference-data/shipping-line-resource.ts";
export { RailTerminalResource, TerminalResource, terminalResource } from "./reference-data/terminal-resource.ts";
export { VesselResource, vesselResource } from "./reference-data/vessel-resource.ts";
export type { AnyResource, Identifier } from "./resource.ts";
export { attributeNames, includable, type ResourceType, resourceSchemas } from "./resource-graph.ts";
export { type ResolutionRecord, resolutionRecord } from "./search/resolution-record.ts";
export {
  containerSearchResult,
  SearchResultResource,
  shipmentSearchResult,
  trackingRequestSearchResult,
} from "./search/search-result-resource.ts";
export { editShipmentDocument } from "./shipments/edit-shipment-document.ts";
export { FreshnessResource, freshnessResource } from "./shipments/freshness-resource.ts";
export { shipmentIdentityDocument } from "./shipments/shipment-identity-document.ts";
export { ShipmentResource, shipmentResource } from "./shipments/shipment-resource.ts";
export {
  type ErrorCode,
  type ErrorSource,
  type Fault,
  notFound,
  statusByCode,
  TrackingError,
} from "./tracking-error.ts";
export {
  InferNumberDocument,
  inferNumberBody,
  inferNumberDocument,
} from "./tracking-requests/infer-number-document.ts";
export {
  createTrackingRequestDocument,
  editTrackingRequestDocument,
} from "./tracking-requests/tracking-request-documents.ts";
export { TrackingRequestResource, trackingRequestResource } from "./tracking-requests/tracking-request-resource.ts";
export { RawEventResource, rawEventResource } from "./transport-events/raw-event-resource.ts";
export {
  listedEventNames,
  type TransportEventRecord,
  TransportEventResource,
  transportEventResource,
} from "./transport-events/transport-event-resource.ts";
export { EventCategoryResource, eventCategoryResources } from "./webhooks/event-category-resource.ts";
export { TriggerResult, triggerBody, triggerResult } from "./webhooks/trigger-result.ts";
export {
  capitalizeHeaderName,
  createWebhookDocument,
  editWebhookDocument,
  RecoverResult,
  recoverBody,
} from "./webhooks/webhook-documents.ts";
export { WebhookNoticeResource, webhookNoticeResource } from "./webhooks/webhook-notice-resource.ts";
export { WebhookResource, webhookResource } from "./webhooks/webhook-resource.ts";
export { toDomainName, toWireName, toWireValue } from "./wire-names.ts";
