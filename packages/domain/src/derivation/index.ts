export { deriveShipment, showsNextVoyage } from "./derive-shipment.ts";
export type {
  ContainerLocation,
  DerivedContainer,
  DerivedPlace,
  DerivedShipment,
  DerivedShipmentAttributes,
  DerivedTransportEvent,
} from "./derived-shipment.ts";
export { etaSampleChanges } from "./eta-samples.ts";
export type { PlaceDirectory } from "./place-directory.ts";
export { planTrackingChanges } from "./plan-tracking-changes.ts";
export type {
  Announcement,
  ContainerChanges,
  FieldChange,
  NotifiedEstimates,
  StoredContainer,
  StoredFacts,
  StoredMilestone,
  StoredShipment,
  TrackingChanges,
} from "./tracking-changes.ts";
