export { type AccountChange, createAccountChangesReader } from "./account-changes-reader.ts";
export { createChangeTimesReader } from "./change-times-reader.ts";
export { createFieldHistoryReader, type FieldChangeRecord } from "./field-history-reader.ts";
export { createProvenanceReader, type ProvenanceRecord } from "./provenance-reader.ts";
