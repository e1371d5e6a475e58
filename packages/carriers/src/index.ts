export type {
  Carrier,
  CarrierQuery,
  CarrierReply,
  FoundReply,
  NotFoundReply,
  RateLimitedReply,
  ReceivedReply,
  RejectedReply,
  UnauthorizedReply,
  UnreachableReply,
  UnrecognizedReply,
} from "./carrier.ts";
export { CarrierConnection, CarrierConnectionList } from "./carrier-connection.ts";
export { createCarriers } from "./create-carriers.ts";
export type { TimeZoneOf } from "./dcsa/event-time.ts";
