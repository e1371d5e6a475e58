export {
  type ClaimedMessage,
  claimEventMessages,
  finishEventMessage,
  releaseEventMessage,
  renewMessageLeases,
} from "./event-message-claims.ts";
export { removeOldEventMessages } from "./event-message-retention.ts";
export {
  findEventImport,
  findPushReceiver,
  type PushReceiver,
  storeEventMessage,
  waitingMessagesMax,
} from "./event-message-store.ts";
export { type CarrierNumber, findSubjectsByNumber, type NumberSubject } from "./find-subjects-by-number.ts";
