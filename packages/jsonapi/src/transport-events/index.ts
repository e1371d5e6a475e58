export { RawEventResource, rawEventResource } from "./raw-event-resource.ts";
export {
  listedEventNames,
  TransportEventResource,
  transportEventResource,
} from "./transport-event-resource.ts";
