export {
  type ClaimedMessage,
  claimEventMessages,
  finishEventMessage,
  releaseEventMessage,
  renewMessageLeases,
} from "./event-message-claims.ts";
export { removeOldEventMessages } from "./event-message-retention.ts";
export {
  type EventMessageState,
  findEventImport,
  findPushReceiver,
  type NewEventMessage,
  type PushReceiver,
  storeEventMessage,
  waitingMessagesMax,
} from "./event-message-store.ts";
export { type CarrierNumber, findSubjectsOfNumbers, type SubjectOfNumber } from "./subjects-of-numbers.ts";
