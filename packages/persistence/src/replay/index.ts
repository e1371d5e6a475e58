export {
  type ArchivedBodyReader,
  inSnapshot,
  type ReplayFilter,
  type ReplayShipment,
  type ReplaySubject,
  readShipmentSubjects,
  readSubjectReplies,
  type StoredReply,
  shipmentsToReplay,
} from "./replay-reader.ts";
export { findEtaSamples, type StoredEtaSample } from "./stored-eta-samples.ts";
export { derivedColumns, storedColumns } from "./tracked-columns.ts";
