export { type LastEvent, readLastEvents } from "./last-events.ts";
export { createRawEventReader } from "./raw-event-reader.ts";
export { createTransportEventRepository } from "./transport-event-repository.ts";
