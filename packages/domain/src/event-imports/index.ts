export { readCsv } from "./read-csv.ts";
export {
  type ImportColumn,
  type ImportedEvent,
  type ImportFault,
  importColumns,
  importRowsMax,
  readEventImport,
} from "./read-event-import.ts";
