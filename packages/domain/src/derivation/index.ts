export { containerStatus, type StatusFacts } from "./container-status.ts";
export { deriveShipment, showsNextVoyage } from "./derive-shipment.ts";
export type {
  Derived,
  DerivedContainer,
  DerivedContainerAttributes,
  DerivedPlace,
  DerivedShipment,
  DerivedShipmentAttributes,
  DerivedTransportEvent,
} from "./derived-shipment.ts";
export { type EtaSampleChanges, etaSampleChanges } from "./eta-samples.ts";
export type { PlaceDirectory } from "./place-directory.ts";
export { planTrackingChanges } from "./plan-tracking-changes.ts";
export { futureActualToleranceMs } from "./source-event.ts";
export type {
  Announcement,
  ContainerChanges,
  FieldChange,
  NotifiedEstimateChange,
  NotifiedEstimates,
  PlanTrackingChanges,
  StoredContainer,
  StoredFacts,
  StoredMilestone,
  StoredShipment,
  TrackingChanges,
} from "./tracking-changes.ts";
