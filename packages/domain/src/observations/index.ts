export type {
  Classifier,
  DataSource,
  EventType,
  LastFreeDaySetter,
  Observation,
  ObservationDraft,
  ObservedCall,
  ObservedPlace,
  ObservedVessel,
  PickupReport,
  TimePrecision,
  TransportMode,
} from "./observation.ts";
export {
  type KnownObservation,
  type NewObservation,
  type ObservationChanges,
  planObservationChanges,
  type ReplyChannel,
} from "./plan-observation-changes.ts";
