export { csvLine } from "./csv.ts";
export { decodeExportCursor, encodeExportCursor } from "./export-cursor.ts";
export {
  ContainerExportRow,
  containerExportRow,
  exportParameters,
  ShipmentExportRow,
  shipmentExportRow,
  TransportEventExportRow,
  transportEventExportRow,
} from "./export-row.ts";
