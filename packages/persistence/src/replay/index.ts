export {
  type ArchivedBodyReader,
  inSnapshot,
  type ReplayFilter,
  type ReplayShipment,
  type ReplaySubject,
  repliesOfSubject,
  type StoredReply,
  shipmentsToReplay,
  subjectsOfShipment,
} from "./replay-reader.ts";
export { findEtaSamples, type StoredEtaSample } from "./stored-eta-samples.ts";
export { derivedColumns, storedColumns } from "./tracked-columns.ts";
