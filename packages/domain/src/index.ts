export {
  type AccessOutcome,
  type AccessTimes,
  accessAfter,
  type CarrierAccess,
  type CarrierLimits,
  type DenialReason,
  failuresUntilOpen,
  isUnlimited,
  type Permit,
  permitRequest,
  permitTest,
  unlimited,
  untouchedAccess,
} from "./carrier-connections/carrier-access.ts";
export {
  type CarrierConnection,
  type ConnectionError,
  type ConnectionHealth,
  type ConnectionStatus,
  connectionStatus,
  connectionStatuses,
} from "./carrier-connections/carrier-connection.ts";
export {
  type CarrierCredentials,
  type CredentialKind,
  credentialKinds,
} from "./carrier-connections/carrier-credentials.ts";
export {
  type ConnectionTest,
  type ConnectionTestCode,
  connectionTestCodes,
  testContainerNumber,
} from "./carrier-connections/connection-test.ts";
export { containerRoute, type RouteSource } from "./container-route/container-route.ts";
export {
  type EstimatedVessel,
  type MappedLeg,
  type MappedStop,
  type RouteMap,
  routeMap,
} from "./container-route/route-map.ts";
export type { RouteCall, RoutePlace, RouteRecords, RouteRole, RouteStop } from "./container-route/route-stop.ts";
export { voyageTimes } from "./container-route/voyage-times.ts";
export {
  type Container,
  type ContainerLinks,
  type ContainerStatus,
  containerStatuses,
  type TerminalFee,
  type TerminalHold,
} from "./containers/container.ts";
export {
  type CustomField,
  type CustomFieldDataType,
  type CustomFieldDefinition,
  type CustomFieldEntityType,
  type CustomFieldOption,
  type CustomFieldReferenceType,
  type CustomFieldValidation,
  type CustomFieldValue,
  customFieldDataTypes,
  customFieldEntityTypes,
  customFieldReferenceTypes,
  type InitialCustomField,
} from "./custom-fields/custom-field.ts";
export { readCustomFieldValue } from "./custom-fields/custom-field-value.ts";
export { containerStatus, type StatusFacts } from "./derivation/container-status.ts";
export { deriveShipment, showsNextVoyage } from "./derivation/derive-shipment.ts";
export type {
  Derived,
  DerivedContainer,
  DerivedContainerAttributes,
  DerivedPlace,
  DerivedShipment,
  DerivedShipmentAttributes,
  DerivedTransportEvent,
} from "./derivation/derived-shipment.ts";
export { type EtaSampleChanges, etaSampleChanges } from "./derivation/eta-samples.ts";
export type { PlaceDirectory } from "./derivation/place-directory.ts";
export { planTrackingChanges } from "./derivation/plan-tracking-changes.ts";
export { futureActualToleranceMs } from "./derivation/source-event.ts";
export type {
  Announcement,
  ContainerChanges,
  FieldChange,
  NotifiedEstimateChange,
  NotifiedEstimates,
  PlanTrackingChanges,
  StoredContainer,
  StoredFacts,
  StoredMilestone,
  StoredShipment,
  TrackingChanges,
} from "./derivation/tracking-changes.ts";
export { type CsvRecord, readCsv } from "./event-imports/read-csv.ts";
export {
  type ImportColumn,
  type ImportedEvent,
  type ImportFault,
  importColumns,
  importRowsMax,
  readEventImport,
} from "./event-imports/read-event-import.ts";
export { exceptionCause, exceptionSummary } from "./exceptions/describe-exception.ts";
export {
  type Exception,
  type ExceptionDetails,
  type ExceptionKind,
  type ExceptionResolution,
  type ExceptionSeverity,
  type ExceptionStatus,
  exceptionKinds,
  exceptionPriority,
  exceptionResolutions,
  exceptionSeverities,
  exceptionStatus,
  exceptionStatuses,
  type FoundException,
  type Money,
  type PlannedVoyage,
} from "./exceptions/exception.ts";
export {
  type ContainerExceptionFacts,
  type EvaluatedExceptions,
  evaluateRequest,
  evaluateShipment,
  type FeeReport,
  type RequestExceptionFacts,
  type ShipmentExceptionFacts,
} from "./exceptions/exception-rules.ts";
export { type VoyageChange, voyageChange } from "./exceptions/voyage-changes.ts";
export {
  containerCheckDigit,
  isValidContainerNumber,
  looksLikeContainerNumber,
  normalizeContainerNumber,
} from "./identifiers/container-number.ts";
export { isValidImoNumber } from "./identifiers/imo-number.ts";
export {
  type InferableLine,
  type InferredNumber,
  inferNumber,
  type LineCandidate,
} from "./identifiers/infer-number.ts";
export { decodeSizeType, type Equipment } from "./identifiers/iso-size-type.ts";
export { isLocode } from "./identifiers/locode.ts";
export { numberForms } from "./identifiers/number-forms.ts";
export { isScac } from "./identifiers/scac.ts";
export { compactNumber, type NumberingOfLine, normalizeShipmentNumber } from "./identifiers/shipment-number.ts";
export { addMs, dayMs, hourMs, type Instant, instant, minuteMs, msBetween, readInstant, toEpochMs } from "./instant.ts";
export { canonicalJson, jsonEqual } from "./json.ts";
export { countedAtMost, type Page, type PagePosition, type PageRequest, type PageRow } from "./lists/page-request.ts";
export { type LocalDate, localDateAt, type TimeZoneOf, zoneOffsetMs } from "./local-time.ts";
export {
  type DeliveryStatus,
  deliveryStatuses,
  type Notification,
  type ReferenceType,
  referenceTypes,
} from "./notifications/notification.ts";
export type {
  ContainerCreatedEvent,
  ContainerPodTerminalChangedEvent,
  ContainerUpdatedEvent,
  EstimatedEvent,
} from "./notifications/reference-events.ts";
export { type EventTime, readEventTime, readStatedAt } from "./observations/event-time.ts";
export type {
  Classifier,
  DataSource,
  EventType,
  LastFreeDaySetter,
  Observation,
  ObservationDraft,
  ObservedCall,
  ObservedPlace,
  ObservedVessel,
  PickupReport,
  TimePrecision,
  TransportMode,
} from "./observations/observation.ts";
export {
  type KnownObservation,
  type NewObservation,
  type ObservationChanges,
  planObservationChanges,
  type ReplyChannel,
} from "./observations/plan-observation-changes.ts";
export type { Party } from "./parties/party.ts";
export type { Clock, IdGenerator } from "./ports.ts";
export type { MetroArea } from "./reference-data/metro-area.ts";
export type { Port } from "./reference-data/port.ts";
export type { ShippingLine } from "./reference-data/shipping-line.ts";
export { type Terminal, type TerminalKind, terminalKinds } from "./reference-data/terminal.ts";
export type { Vessel } from "./reference-data/vessel.ts";
export { findSeaRoute, type SeaPort, type SeaRoute } from "./sea-routes/find-sea-route.ts";
export {
  type FuturePosition,
  futureDaysMax,
  futurePositions,
  futurePositionsFrom,
  usualSpeedKnots,
  type VoyageTimes,
} from "./sea-routes/future-positions.ts";
export type { Position } from "./sea-routes/great-circle.ts";
export { type Passage, passages } from "./sea-routes/passage.ts";
export {
  type Resolution,
  resolveIdentifier,
  type SearchCandidate,
  type SearchRule,
  searchRules,
} from "./search/resolve-identifier.ts";
export { readSearchQuery, type SearchQuery, searchText } from "./search/search-query.ts";
export {
  type Place,
  type Shipment,
  type StopReason,
  stopReasons,
  type TerminalReference,
} from "./shipments/shipment.ts";
export { shipmentArrival, unknownArrival } from "./shipments/shipment-arrival.ts";
export { type ShipmentStatus, shipmentStatus, shipmentStatuses } from "./shipments/shipment-status.ts";
export { nextPollInterval, pollJitter } from "./tracking/next-poll-interval.ts";
export {
  manifestPollInterval,
  manifestWindowMs,
  trackingRetryDelay,
  trackingTries,
} from "./tracking/retry-delay.ts";
export {
  type Freshness,
  type FreshnessFacts,
  freshnesses,
  type ShipmentFreshness,
  shipmentFreshness,
} from "./tracking/shipment-freshness.ts";
export {
  defaultStopThresholds,
  type StopFacts,
  type StopThresholds,
  shipmentStopReason,
} from "./tracking/shipment-stop-reason.ts";
export {
  type PickupProgress,
  pickupProgress,
  terminalPollAt,
  terminalPollInterval,
} from "./tracking/terminal-polling.ts";
export {
  type ContainerProgress,
  type TrackingProgress,
  trackingProgress,
} from "./tracking/tracking-progress.ts";
export { detectLine, normalizeRequestNumber, supportsRequestType } from "./tracking-requests/detect-line.ts";
export {
  type FailedReason,
  failedReasons,
  type RequestType,
  requestTypes,
  type SubjectKind,
  type TrackingRequest,
  type TrackingRequestStatus,
  trackingRequestStatuses,
} from "./tracking-requests/tracking-request.ts";
export { correspondingMilestone, type VoyageEnds } from "./transport-events/raw-event-milestone.ts";
export {
  type EstimatedTransportEventName,
  estimatedTransportEventNames,
  type ListedEventName,
  type ListedTransportEvent,
  type PickupChangeName,
  pickupChangeNames,
  type TransportEvent,
  type TransportEventName,
  transportEventNames,
} from "./transport-events/transport-event.ts";
export { type DeliveryLane, slowResponseMs } from "./webhooks/delivery-lane.ts";
export {
  type AttemptVerdict,
  type DeliveryRecord,
  type DeliveryResponse,
  type DeliveryState,
  deliveryState,
  evaluateAttempt,
  settlementOf,
  successStatuses,
} from "./webhooks/delivery-lifecycle.ts";
export {
  type EndpointEvaluation,
  endpointConcurrencyMax,
  evaluateEndpoint,
  isSlowEndpoint,
} from "./webhooks/evaluate-endpoint.ts";
export {
  catalogueEventNames,
  eventCategories,
  isOffered,
  isSubscribed,
  isSubscription,
  unsentEventNames,
  type WebhookEventName,
  webhookEventNames,
} from "./webhooks/event-catalogue.ts";
export { conformingNow, conformsInMs, rateLimitMax, tatAfter } from "./webhooks/rate-limit.ts";
export { attemptsMax, retryDelayMs, retryDelaysMs } from "./webhooks/retry-schedule.ts";
export { signatureMessage } from "./webhooks/signature-message.ts";
export type { Webhook, WebhookHeader } from "./webhooks/webhook.ts";
export { type DeactivationReason, healthAfter, mustDeactivate, type WebhookHealth } from "./webhooks/webhook-health.ts";
export {
  type NoticeKind,
  noticeAfter,
  noticeKinds,
  type WebhookNotice,
} from "./webhooks/webhook-notice.ts";
