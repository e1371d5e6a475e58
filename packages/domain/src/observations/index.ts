export { type EventTime, readEventTime, readReportTime } from "./event-time.ts";
export {
  type Classifier,
  type DataSource,
  dataSources,
  type Observation,
  type ObservationDraft,
  type ObservedCall,
  type ObservedPlace,
  type ObservedVessel,
  type PickupReport,
  type TimePrecision,
  type TransportMode,
  timePrecisions,
} from "./observation.ts";
export { observedText } from "./observed-text.ts";

export {
  type KnownObservation,
  type NewObservation,
  type ObservationChanges,
  planObservationChanges,
  type ReplyChannel,
  withdrawalDelayMs,
} from "./plan-observation-changes.ts";
