export { type Attempt, attemptFields } from "./attempt.ts";
export {
  type DeliveryStatus,
  deliveryStatuses,
  type Notification,
  type ReferenceType,
  referenceTypes,
} from "./notification.ts";
export type {
  ContainerCreatedEvent,
  ContainerPodTerminalChangedEvent,
  ContainerUpdatedEvent,
  EstimatedEvent,
} from "./reference-events.ts";
