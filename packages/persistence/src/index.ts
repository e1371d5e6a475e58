export { closeAccount, completeSuspensions, resumeAccount, suspendAccount } from "./administration/account-state.ts";
export {
  type AccountRow,
  type Administration,
  createAdministration,
  type NewToken,
  type TokenRow,
} from "./administration/administration.ts";
export { eraseClosedAccount, eraseClosedAccounts } from "./administration/erase-accounts.ts";
export {
  type AccessCounts,
  addAccessCounts,
  type LockedAccess,
  lockCarrierAccess,
  registerServiceCarriers,
  saveCarrierAccess,
} from "./carrier-connections/carrier-access-store.ts";
export {
  type CarrierConnectionRepository,
  createCarrierConnectionRepository,
} from "./carrier-connections/carrier-connection-repository.ts";
export { applyConnectionChanges } from "./carrier-connections/connection-changes.ts";
export { findConnectionCredentials } from "./carrier-connections/connection-credentials.ts";
export { checkSecretKey } from "./check-secret-key.ts";
export { type ContainerRouteReader, createContainerRouteReader } from "./container-route/container-route-reader.ts";
export type { ContainerRouteSource } from "./container-route/route-source-reader.ts";
export type { ContainerFilters } from "./containers/container-filters.ts";
export { type ContainerLinkReader, createContainerLinkReader } from "./containers/container-links.ts";
export {
  type ContainerRepository,
  type ContainerSortKey,
  createContainerRepository,
} from "./containers/container-repository.ts";
export { type ContainerSummary, readContainerSummaries } from "./containers/container-summaries.ts";
export {
  type CustomFieldEntity,
  type CustomFieldRepository,
  createCustomFieldRepository,
} from "./custom-fields/custom-field-repository.ts";
export {
  type CustomFieldDefinitionRepository,
  createCustomFieldDefinitionRepository,
} from "./custom-fields/definition-repository.ts";
export {
  type CustomFieldOptionRepository,
  createCustomFieldOptionRepository,
} from "./custom-fields/option-repository.ts";
export { connectDatabase, type Database } from "./database.ts";
export { isDatabaseUnavailable } from "./database-unavailable.ts";
export type { AttemptOutcome, DeliveryAttempt, DeliveryTarget } from "./delivery/attempt.ts";
export { type AttemptParts, maintainAttempts } from "./delivery/attempt-retention.ts";
export { limitBacklogs, type Overflow } from "./delivery/backlog-limit.ts";
export { type Claim, type ClaimKey, claimSizes } from "./delivery/claim.ts";
export {
  type ClaimCursor,
  type ClaimRequest,
  type ClaimRound,
  claimDeliveries,
} from "./delivery/claim-deliveries.ts";
export {
  findQueuedClaims,
  type ReclaimedLeases,
  reclaimExpiredLeases,
  releaseClaims,
  renewInFlightClaims,
  renewQueuedClaims,
} from "./delivery/claim-leases.ts";
export { type ClaimStarter, createClaimStarter } from "./delivery/claim-starter.ts";
export {
  type DeliveryBacklog,
  type DeliverySchedule,
  readDeliveryBacklog,
  readDeliverySchedule,
} from "./delivery/delivery-schedule.ts";
export { expireHeldDeliveries, holdDeliveries, resumeDeliveries } from "./delivery/held-deliveries.ts";
export {
  type RemovedNotifications,
  type RetentionPosition,
  removeOldNotifications,
} from "./delivery/notification-retention.ts";
export { createOutcomeWriter, type OutcomeWriter, type OutcomeWriterOptions } from "./delivery/outcome-writer.ts";
export { type RepairCursor, repairOrphanedDeliveries } from "./delivery/repair-orphans.ts";
export type { Deactivation } from "./delivery/settle-outcomes.ts";
export {
  createEtaAccuracyReader,
  type EtaAccuracyReader,
  type EtaAccuracyRecord,
} from "./eta-accuracy/eta-accuracy-reader.ts";
export {
  type ClaimedMessage,
  claimEventMessages,
  finishEventMessage,
  releaseEventMessage,
  renewMessageLeases,
} from "./event-messages/event-message-claims.ts";
export { removeOldEventMessages } from "./event-messages/event-message-retention.ts";
export {
  type EventMessageState,
  findEventImport,
  findPushReceiver,
  type NewEventMessage,
  type PushReceiver,
  storeEventMessage,
  waitingMessagesMax,
} from "./event-messages/event-message-store.ts";
export {
  type CarrierNumber,
  findSubjectsOfNumbers,
  type SubjectOfNumber,
} from "./event-messages/subjects-of-numbers.ts";
export {
  type DueCheck,
  findAccountsWithDueChecks,
  lockDueChecks,
  readRequestsToCheck,
  readShipmentsToCheck,
  removeOldExceptions,
  settleChecks,
} from "./exceptions/exception-checks.ts";
export {
  createExceptionRepository,
  type ExceptionFilters,
  type ExceptionRepository,
  exceptionGroupings,
} from "./exceptions/exception-repository.ts";
export { type CheckedSubject, writeExceptions } from "./exceptions/exception-writer.ts";
export { type ExceptionRecords, notifyExceptions } from "./exceptions/notify-exceptions.ts";
export { type ChangeRange, createExportReader, type ExportReader } from "./exports/export-reader.ts";
export {
  type AccountChange,
  type AccountChangesReader,
  createAccountChangesReader,
} from "./history/account-changes-reader.ts";
export {
  createFieldHistoryReader,
  type FieldChangeRecord,
  type FieldHistoryReader,
} from "./history/field-history-reader.ts";
export { createProvenanceReader, type ProvenanceReader, type ProvenanceRecord } from "./history/provenance-reader.ts";
export {
  createIdempotencyRepository,
  type IdempotencyRepository,
  type IdempotencyRequest,
  type KeyState,
  type RememberedAnswer,
} from "./idempotency/idempotency-repository.ts";
export { uuidV7 } from "./ids.ts";
export {
  createInboxReader,
  type Inbox,
  type InboxReader,
  type InboxRequest,
  inboxRequestsKept,
  keepInboxRequest,
  removeEndedInboxes,
  type TakenRequest,
  takeInboxRequest,
} from "./inbox/inbox-repository.ts";
export { type Listener, listen } from "./listen.ts";
export { createFirstAccount, hasAnyAccount, paidFeatures } from "./members/first-account.ts";
export { createInvitationRepository, type Invitation } from "./members/invitation-repository.ts";
export { makeInvitation } from "./members/make-invitation.ts";
export {
  createMemberRepository,
  type Member,
  type MemberRepository,
  type MemberRole,
} from "./members/member-repository.ts";
export { resetPassword } from "./members/reset-password.ts";
export { applyMigrations, createDatabase } from "./migrate.ts";
export { countedInHourAtMost, type DeliveryHour, readDeliveryHours } from "./notifications/delivery-hours.ts";
export { type AttemptRecord, createDeliveryLog, type DeliveryLog } from "./notifications/delivery-log.ts";
export { type DeliveryDetails, readDeliveryDetails } from "./notifications/delivery-states.ts";
export {
  createNotificationFeed,
  type FeedNotification,
  type NotificationFeed,
} from "./notifications/notification-feed.ts";
export {
  createNotificationReader,
  type NotificationFilters,
  type NotificationReader,
} from "./notifications/notification-reader.ts";
export type { ContainerOverviewFilters } from "./overviews/overview-filters.ts";
export {
  type ContainerOverview,
  type ContainerOverviewReader,
  type ContainerOverviewSortKey,
  createContainerOverviewReader,
  createShipmentOverviewReader,
  overviewGroupings,
  type ShipmentOverview,
  type ShipmentOverviewReader,
} from "./overviews/overview-reader.ts";
export { createPartyRepository, PartyNameTakenError, type PartyRepository } from "./parties/party-repository.ts";
export { createDatabaseCheck } from "./readiness.ts";
export { createIncludedReferenceData, type IncludedReferenceData } from "./reference-data/included-reference-data.ts";
export { type CachedPlaceDirectory, loadPlaceDirectory } from "./reference-data/place-directory.ts";
export {
  createReferenceDataRepository,
  type ReferenceDataRepository,
} from "./reference-data/reference-data-repository.ts";
export { type CatalogueLine, readShippingLineCatalogue } from "./reference-data/shipping-line-catalogue.ts";
export {
  inSnapshot,
  type ReplayFilter,
  type ReplayShipment,
  type ReplaySubject,
  repliesOfSubject,
  type StoredReply,
  shipmentsToReplay,
  subjectsOfShipment,
} from "./replay/replay-reader.ts";
export { findEtaSamples, type StoredEtaSample } from "./replay/stored-eta-samples.ts";
export { derivedColumns, storedColumns, type TrackedColumns } from "./replay/tracked-columns.ts";
export { resealSecrets } from "./reseal-secrets.ts";
export { findCandidates } from "./search/find-candidates.ts";
export { findMatchingShipments } from "./search/find-matching-shipments.ts";
export { findNamesakes, type Namesake } from "./search/find-namesakes.ts";
export { createSecretBox, type SecretBox } from "./secret-box.ts";
export { type DemoAccount, seedDemoAccount } from "./seed/demo-account.ts";
export { seedReferenceData } from "./seed/reference-data.ts";
export { hashPassword, verifyPassword } from "./sessions/password.ts";
export {
  createSessionRepository,
  type OpenSession,
  type SessionOwner,
  type SessionRepository,
} from "./sessions/session-repository.ts";
export { countedInStatusAtMost, type StatusCounts } from "./shipments/count-by-status.ts";
export type { ShipmentFilters } from "./shipments/shipment-filters.ts";
export {
  createShipmentRepository,
  type ShipmentRepository,
  type ShipmentSortKey,
} from "./shipments/shipment-repository.ts";
export { createTrackedStateReader, type TrackedStateReader } from "./shipments/tracked-state-reader.ts";
export { refreshContainer, resumeTracking, stopTracking } from "./shipments/tracking-switch.ts";
export type { AccountSql, AccountTransaction, PoolOptions, Sql, SqlWith, Statement } from "./sql.ts";
export {
  type AccountToken,
  type AccountTokenRepository,
  createAccountTokenRepository,
} from "./tokens/account-token-repository.ts";
export { findKnownTokens } from "./tokens/find-known-tokens.ts";
export { type MadeToken, makeApiToken } from "./tokens/make-api-token.ts";
export {
  createTokenRepository,
  type TokenOwner,
  type TokenRepository,
  type TokenScope,
  tokenScopes,
} from "./tokens/token-repository.ts";
export { writeChangeEvents } from "./tracking/change-events.ts";
export {
  type ClaimOptions,
  claimDueSubjects,
  claimSubject,
  credentialOf,
  nextDueAt,
  releaseSubject,
  renewSubjectLeases,
  type SubjectClaim,
} from "./tracking/claim-subjects.ts";
export { writeInitialCustomFields } from "./tracking/initial-custom-fields.ts";
export {
  findSubscriptions,
  type NotificationEvent,
  type Subscriptions,
  writeNotificationEvents,
} from "./tracking/notification-writer.ts";
export {
  accountSuppliedOf,
  addObservations,
  closeFacts,
  findLastReplyId,
  findObservations,
  hashValues,
  noteMissing,
  type RawReply,
  storeReply,
} from "./tracking/reply-store.ts";
export { adoptShipment, type NewShipment, type ShipmentAdoption, stopShipment } from "./tracking/shipment-rows.ts";
export { findStoredShipment, findTrackedShipment, type TrackedShipment } from "./tracking/stored-shipment.ts";
export { requeueStrandedSubjects } from "./tracking/stranded-requests.ts";
export {
  findLiveRequests,
  type LiveRequest,
  lockSubject,
  type RequestChange,
  type SubjectChange,
  type SubjectState,
  settleSubject,
  startNextSubject,
  stopPollingSubject,
  writeRequests,
} from "./tracking/subject-state.ts";
export {
  endTerminalQuestions,
  findTerminalShipment,
  keepLineProgress,
  lockLineOfTerminal,
  scheduleTerminalQuestions,
  type TerminalQuestion,
  type TerminalShipment,
} from "./tracking/terminal-subjects.ts";
export {
  lockTrackedSubjects,
  settleUnchanged,
  type TrackedSubject,
  type UnchangedSubject,
} from "./tracking/tracked-subjects.ts";
export {
  findUndetectedRequests,
  giveLine,
  lockUndetectedRequest,
  type UndetectedRequest,
} from "./tracking/undetected-requests.ts";
export { type TrackingWrite, timelineKey, type WrittenTracking, writeTracking } from "./tracking/write-tracking.ts";
export {
  createTrackingRequestRepository,
  type NewTrackingRequest,
  type TrackingRequestFilters,
  type TrackingRequestRepository,
  type TrackingRequestSortKey,
} from "./tracking-requests/tracking-request-repository.ts";
export { type LastEvent, readLastEvents } from "./transport-events/last-events.ts";
export {
  createRawEventReader,
  type IndexedRawEvent,
  type RawEventReader,
  type RawEventRecord,
} from "./transport-events/raw-event-reader.ts";
export {
  createTransportEventRepository,
  type TransportEventRepository,
} from "./transport-events/transport-event-repository.ts";
export { removeDeletedWebhooks } from "./webhooks/deleted-webhooks.ts";
export { type LastFailure, readLastFailures } from "./webhooks/last-failures.ts";
export { openHeaders, type StoredHeaders, sealPlainHeaders } from "./webhooks/sealed-headers.ts";
export { createWebhookNotices, type DescribeNotice, type WebhookNotices } from "./webhooks/webhook-notices.ts";
export {
  createWebhookRepository,
  previousSecretsMax,
  type WebhookEdit,
  type WebhookRepository,
} from "./webhooks/webhook-repository.ts";
