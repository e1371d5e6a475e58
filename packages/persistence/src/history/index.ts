export { type AccountChange, type AccountChangesReader, createAccountChangesReader } from "./account-changes-reader.ts";
export { type ChangeTimesReader, createChangeTimesReader } from "./change-times-reader.ts";
export { createFieldHistoryReader, type FieldChangeRecord, type FieldHistoryReader } from "./field-history-reader.ts";
export { createProvenanceReader, type ProvenanceReader, type ProvenanceRecord } from "./provenance-reader.ts";
