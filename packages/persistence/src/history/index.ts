export { createAccountChangesReader } from "./account-changes-reader.ts";
export { createChangeTimesReader } from "./change-times-reader.ts";
export { createFieldHistoryReader } from "./field-history-reader.ts";
export { createProvenanceReader } from "./provenance-reader.ts";
