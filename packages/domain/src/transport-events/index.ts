export { correspondingMilestone, type VoyageEnds } from "./raw-event-milestone.ts";
export {
  type EstimatedTransportEventName,
  estimatedTransportEventNames,
  type ListedEventName,
  type ListedTransportEvent,
  type PickupChangeName,
  pickupChangeNames,
  type TransportEvent,
  type TransportEventName,
  transportEventNames,
} from "./transport-event.ts";
