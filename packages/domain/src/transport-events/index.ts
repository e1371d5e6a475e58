export { type JourneyStep, journeySteps, type PlanBasis, planBases } from "./journey-steps.ts";
export type { RawEvent, ReportedFact } from "./raw-event.ts";
export { correspondingMilestone } from "./raw-event-milestone.ts";
export {
  type EstimatedTransportEventName,
  estimatedTransportEventNames,
  type ListedEventName,
  type ListedTransportEvent,
  listedEventNames,
  type PickupChangeName,
  pickupChangeNames,
  type TransportEvent,
  type TransportEventName,
  transportEventFields,
  transportEventNames,
} from "./transport-event.ts";
