export type {
  Carrier,
  CarrierAnswer,
  CarrierQuery,
  CarrierReply,
  FoundReply,
  NotFoundReply,
  RateLimitedReply,
  ReceivedReply,
  RejectedReply,
  UnauthorizedReply,
  UnchangedReply,
  UnreachableReply,
  UnrecognizedReply,
} from "./carrier.ts";
export { CarrierConnection, CarrierConnectionList } from "./carrier-connection.ts";
export type { StoredReading } from "./carrier-protocol.ts";
export { type Diagnosis, diagnoseReply } from "./connection-test/diagnose-reply.ts";
export { explainTest, type Unsent } from "./connection-test/explain-test.ts";
export { createCarriers, type OfferedCarrier } from "./create-carriers.ts";
export type { PushedEvent } from "./dcsa/pushed-events.ts";
export { isReachable } from "./is-reachable.ts";
export { createStoredReplyReader, type StoredQuestion, type StoredReplyReader } from "./stored-replies.ts";
export { TerminalConnection, TerminalConnectionList } from "./terminal/terminal-connection.ts";
export { createTerminals, readTerminalReply, TerminalSource } from "./terminal/terminal-source.ts";
