export { columnHeadings } from "./column-headings.ts";
export { cellText, csvLine } from "./csv.ts";
export {
  ContainerExportRow,
  ContainerOverviewExportRow,
  containerExportRow,
  decodeExportCursor,
  encodeExportCursor,
  exportParameters,
  ShipmentExportRow,
  ShipmentOverviewExportRow,
  shipmentExportRow,
  TransportEventExportRow,
  transportEventExportRow,
} from "./export-row.ts";
