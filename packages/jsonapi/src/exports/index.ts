export { cellText, csvLine } from "./csv.ts";
export {
  ContainerExportRow,
  containerExportRow,
  decodeExportCursor,
  encodeExportCursor,
  exportParameters,
  ShipmentExportRow,
  shipmentExportRow,
  TransportEventExportRow,
  transportEventExportRow,
} from "./export-row.ts";
