export { columnHeadings } from "./column-headings.ts";
export { cellText, csvLine } from "./csv.ts";
export {
  ContainerExportRow,
  ContainerOverviewExportRow,
  containerExportRow,
  customFieldCells,
  customFieldColumns,
  decodeExportCursor,
  encodeExportCursor,
  exportParameters,
  overviewColumns,
  ShipmentExportRow,
  ShipmentOverviewExportRow,
  shipmentExportRow,
  TransportEventExportRow,
  transportEventExportRow,
} from "./export-row.ts";
