export { RawEventResource, rawEventResource } from "./raw-event-resource.ts";
export {
  listedEventNames,
  type TransportEventRecord,
  TransportEventResource,
  transportEventResource,
} from "./transport-event-resource.ts";
