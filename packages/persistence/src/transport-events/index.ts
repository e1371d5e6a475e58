export { type LastEvent, readLastEvents } from "./last-events.ts";
export {
  createRawEventReader,
  type IndexedRawEvent,
  type RawEventReader,
} from "./raw-event-reader.ts";
export { createTransportEventRepository, type TransportEventRepository } from "./transport-event-repository.ts";
