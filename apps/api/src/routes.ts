import { alertSubscriptionRoutes } from "./alerts/alert-subscription-routes.ts";
import { auditEventRoutes } from "./audit-events/audit-event-routes.ts";
import { carrierConnectionRoutes } from "./carrier-connections/carrier-connection-routes.ts";
import { listCarriersRoute } from "./carrier-connections/list-carriers.route.ts";
import { testConnectionRoute } from "./carrier-connections/test-connection.route.ts";
import { containerRoutes } from "./containers/container-routes.ts";
import { getRouteStopsRoute } from "./containers/get-route-stops.route.ts";
import { listRawEventsRoute } from "./containers/list-raw-events.route.ts";
import { mapContainerRoute } from "./containers/map-container.route.ts";
import { refreshContainerRoute } from "./containers/refresh-container.route.ts";
import { customFieldDefinitionRoutes } from "./custom-fields/custom-field-definition-routes.ts";
import { customFieldOptionRoutes } from "./custom-fields/custom-field-option-routes.ts";
import { customFieldRoutes } from "./custom-fields/custom-field-routes.ts";
import { entityCustomFieldRoutes } from "./custom-fields/entity-custom-field-routes.ts";
import { demurrageRuleRoutes } from "./demurrage/demurrage-rule-routes.ts";
import { getContainerDemurrageRoute } from "./demurrage/get-container-demurrage.route.ts";
import { ediFileRoutes } from "./edi-files/edi-file-routes.ts";
import { emissionFactorRoutes } from "./emissions/emission-factor-routes.ts";
import { getContainerEmissionsRoute } from "./emissions/get-container-emissions.route.ts";
import { eventImportRoutes } from "./event-imports/event-import-routes.ts";
import { exceptionRoutes } from "./exceptions/exception-routes.ts";
import { exportRoutes } from "./exports/export-routes.ts";
import { historyRoutes } from "./history/history-routes.ts";
import { listChangesRoute } from "./history/list-changes.route.ts";
import { provenanceRoutes } from "./history/provenance-routes.ts";
import type { Route } from "./http/define-route.ts";
import { laneRoutes } from "./lanes/lane-routes.ts";
import { deliveryAttemptRoutes } from "./notifications/delivery-attempt-routes.ts";
import { listNotificationExamplesRoute } from "./notifications/list-notification-examples.route.ts";
import { notificationRoutes } from "./notifications/notification-routes.ts";
import { webhookDeliveryRoutes } from "./notifications/webhook-delivery-routes.ts";
import { listContainerPositionsRoute } from "./overviews/list-container-positions.route.ts";
import { overviewRoutes } from "./overviews/overview-routes.ts";
import { partyRoutes } from "./parties/party-routes.ts";
import { futurePositionRoutes } from "./reference-data/future-position-routes.ts";
import { referenceDataRoutes } from "./reference-data/reference-data-routes.ts";
import { savedViewRoutes } from "./saved-views/saved-view-routes.ts";
import { searchRecordsRoute } from "./search/search-records.route.ts";
import { shareLinkRoutes } from "./share-links/share-link-routes.ts";
import { getFreshnessRoute } from "./shipments/get-freshness.route.ts";
import { getTrackingSummaryRoute } from "./shipments/get-tracking-summary.route.ts";
import { shipmentRoutes } from "./shipments/shipment-routes.ts";
import { trackingStateRoutes } from "./shipments/tracking-state-routes.ts";
import { createTrackingRequestsRoute } from "./tracking-requests/create-tracking-requests.route.ts";
import { inferNumberRoute } from "./tracking-requests/infer-number.route.ts";
import { trackingRequestRoutes } from "./tracking-requests/tracking-request-routes.ts";
import { getWebhookPerformanceRoute } from "./webhooks/get-webhook-performance.route.ts";
import { listNoticesRoute } from "./webhooks/list-notices.route.ts";
import { listWebhookStatisticsRoute } from "./webhooks/list-webhook-statistics.route.ts";
import { recoveryRoutes } from "./webhooks/recovery-routes.ts";
import { rotateSecretRoute } from "./webhooks/rotate-secret.route.ts";
import { triggerWebhookRoute } from "./webhooks/trigger-webhook.route.ts";
import { webhookInformationRoutes } from "./webhooks/webhook-information-routes.ts";
import { webhookRoutes } from "./webhooks/webhook-routes.ts";

/** Every operation of the API, in the order of the reference; a fixed path stands before one with a parameter. */
export const routes: readonly Route[] = [
  inferNumberRoute,
  createTrackingRequestsRoute,
  ...trackingRequestRoutes,
  ...shipmentRoutes,
  ...trackingStateRoutes,
  ...shareLinkRoutes,
  ...containerRoutes,
  listRawEventsRoute,
  getRouteStopsRoute,
  mapContainerRoute,
  refreshContainerRoute,
  ...historyRoutes,
  ...provenanceRoutes,
  getFreshnessRoute,
  getTrackingSummaryRoute,
  ...laneRoutes,
  ...overviewRoutes,
  listContainerPositionsRoute,
  ...exceptionRoutes,
  ...alertSubscriptionRoutes,
  ...savedViewRoutes,
  ...auditEventRoutes,
  ...demurrageRuleRoutes,
  getContainerDemurrageRoute,
  ...emissionFactorRoutes,
  getContainerEmissionsRoute,
  listChangesRoute,
  ...exportRoutes,
  searchRecordsRoute,
  listCarriersRoute,
  ...carrierConnectionRoutes,
  testConnectionRoute,
  ...eventImportRoutes,
  ...ediFileRoutes,
  ...webhookInformationRoutes,
  triggerWebhookRoute,
  ...webhookRoutes,
  listNoticesRoute,
  rotateSecretRoute,
  ...recoveryRoutes,
  listWebhookStatisticsRoute,
  getWebhookPerformanceRoute,
  listNotificationExamplesRoute,
  ...notificationRoutes,
  ...deliveryAttemptRoutes,
  ...webhookDeliveryRoutes,
  ...referenceDataRoutes,
  ...futurePositionRoutes,
  ...partyRoutes,
  ...customFieldDefinitionRoutes,
  ...customFieldOptionRoutes,
  ...customFieldRoutes,
  ...entityCustomFieldRoutes,
];
