import { ContainerOverviewExportRow, overviewColumns, ShipmentOverviewExportRow } from "@svc/jsonapi/exports";
import type { ContainerColumn } from "../containers/list-row.ts";
import type { ShipmentColumn } from "../shipments/list-row.ts";
import type { headings } from "./headings.ts";
import { moneyColumns } from "./money-columns.ts";

type FileColumn = keyof typeof headings;

const route: readonly FileColumn[] = [
  ...(["pol_locode", "pol_name", "pod_locode", "pod_name", "destination_locode", "destination_name"] as const),
  ...(["vessel_name", "voyage_number"] as const),
];

const arrival: readonly FileColumn[] = [
  "arrival_local",
  "arrival_kind",
  "arrival_time_zone",
  "delay_days",
  "overdue_days",
];

/** The columns of a file that have what a column of the list shows. */
const containerColumns: Readonly<Record<ContainerColumn, readonly FileColumn[]>> = {
  customer: [],
  status: ["status_text", "last_event_text", "tracking_stopped_at", "tracking_stopped_text"],
  equipment: ["equipment"],
  route,
  last_free_day: ["last_free_day"],
  pickup: [
    ...(["available_for_pickup", "holds", "fees"] as const),
    ...moneyColumns("fees", "terminal_demurrage", "rule_demurrage", "rule_detention"),
    ...(["pickup_appointment_local", "full_out_local", "pickup_time_zone"] as const),
  ],
  cost: moneyColumns("cost_so_far", "cost_per_day"),
  arrival,
  delay: ["delay_days", "overdue_days"],
  reason: ["delay_reason"],
  carrier: ["shipping_line_scac"],
  updated: ["last_changed_at"],
};

const shipmentColumns: Readonly<Record<ShipmentColumn, readonly FileColumn[]>> = {
  customer: [],
  status: ["status_text", "tracking_stopped_at", "tracking_stopped_text"],
  route,
  containers: ["containers_total", "container_numbers"],
  departure: ["departure_estimated_local", "departure_actual_local", "departure_time_zone"],
  arrival,
  last_free_day: ["last_free_day"],
  carrier: ["shipping_line_scac"],
  updated: ["last_changed_at"],
};

/** The time of the arrival is followed by what it is. */
const withKind = (column: FileColumn): readonly FileColumn[] =>
  column === "arrival_at" ? [column, "arrival_kind"] : [column];

const allContainerColumns = (overviewColumns(ContainerOverviewExportRow) as FileColumn[]).flatMap((column) => {
  if (column === "fees") return [column, ...moneyColumns("fees", "terminal_demurrage")];
  if (column === "cost_so_far" || column === "cost_per_day") return moneyColumns(column);
  return column === "demurrage" ? [column, ...moneyColumns("rule_demurrage", "rule_detention")] : withKind(column);
});

/** Columns of the file of containers. `visible`: those of the list; null: all. */
export const containerFileColumns = (visible: readonly ContainerColumn[] | null): readonly FileColumn[] =>
  visible === null
    ? allContainerColumns
    : [
        ...(["container_number", "bill_of_lading_number", "customer_name", "ref_numbers"] as const),
        // The delay is of the arrival, and may be a column of its own.
        ...new Set(visible.flatMap((column) => containerColumns[column])),
      ];

/** Columns of the file of shipments. `visible`: those of the list; null: all. */
export const shipmentFileColumns = (visible: readonly ShipmentColumn[] | null): readonly FileColumn[] =>
  visible === null
    ? (overviewColumns(ShipmentOverviewExportRow) as FileColumn[]).flatMap(withKind)
    : [
        ...(["bill_of_lading_number", "customer_name", "ref_numbers", "tags"] as const),
        ...visible.flatMap((column) => shipmentColumns[column]),
      ];
