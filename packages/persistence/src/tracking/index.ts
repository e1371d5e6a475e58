export { writeChangeEvents } from "./change-events.ts";
export {
  claimDueSubjects,
  claimSubjects,
  credentialOf,
  nextDueAt,
  releaseSubject,
  renewSubjectLeases,
  type SubjectClaim,
} from "./claim-subjects.ts";
export { writeInitialCustomFields } from "./initial-custom-fields.ts";
export {
  findSubscriptions,
  type NotificationEvent,
  type Subscriptions,
  writeNotificationEvents,
} from "./notification-writer.ts";
export {
  accountSuppliedIds,
  addObservations,
  closeObservations,
  findLastReplyId,
  findObservations,
  hashValues,
  setMissingSince,
  storeReply,
} from "./reply-store.ts";
export { adoptShipment, type NewShipment, stopShipment } from "./shipment-rows.ts";
export { type NewTrackingRequest, startTracking } from "./start-tracking.ts";
export { findStoredShipment, findTrackedShipment, type TrackedShipment } from "./stored-shipment.ts";
export { requeueStrandedSubjects } from "./stranded-requests.ts";
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
} from "./subject-state.ts";
export {
  endTerminalPolling,
  findTerminalShipment,
  insertTerminalPolls,
  lockCarrierSubject,
  storeCarrierProgress,
  type TerminalPoll,
} from "./terminal-subjects.ts";
export {
  lockTrackedSubjects,
  settleUnchanged,
  type TrackedSubject,
  type UnchangedSubject,
} from "./tracked-subjects.ts";
export {
  assignCarrier,
  findUndetectedRequests,
  lockUndetectedRequest,
  type UndetectedRequest,
} from "./undetected-requests.ts";
export { timelineKey, type WrittenTracking, writeTracking } from "./write-tracking.ts";
