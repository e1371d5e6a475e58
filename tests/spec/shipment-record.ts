/**
 * The shipment tables of the interface specification as data: the ledger and the test of the real record share them.
 */

/** `text` is a string, `texts` an array of strings, `moment` an RFC 3339 time, `zone` an IANA time zone name. */
export type AttributeKind = "text" | "texts" | "moment" | "locode" | "zone" | "stop_reason";

export interface AttributeRow {
  readonly kind: AttributeKind;
  readonly nullable: boolean;
  readonly meaning: string;
}

const always = (kind: AttributeKind, meaning: string): AttributeRow => ({ kind, nullable: false, meaning });
const orNull = (kind: AttributeKind, meaning: string): AttributeRow => ({ kind, nullable: true, meaning });

export const shipmentAttributes = {
  bill_of_lading_number: always("text", "bill of lading number, the only required attribute"),
  normalized_number: always("text", "number in the form used to query the carrier"),
  ref_numbers: orNull("texts", "reference numbers of the account"),
  created_at: always("moment", "creation of the record"),
  tags: always("texts", "tags of the account"),
  port_of_lading_locode: orNull("locode", "port of lading"),
  port_of_lading_name: orNull("text", "name of the port of lading"),
  port_of_discharge_locode: orNull("locode", "port of discharge"),
  port_of_discharge_name: orNull("text", "name of the port of discharge"),
  destination_locode: orNull("locode", "destination"),
  destination_name: orNull("text", "name of the destination"),
  shipping_line_scac: always("text", "SCAC of the carrier"),
  shipping_line_name: always("text", "full name of the carrier"),
  shipping_line_short_name: always("text", "short name of the carrier"),
  customer_name: orNull("text", "name of the customer"),
  pod_vessel_name: orNull("text", "name of the vessel that calls at the port of discharge"),
  pod_vessel_imo: orNull("text", "IMO number of that vessel"),
  pod_voyage_number: orNull("text", "voyage number of that vessel"),
  pol_etd_at: orNull("moment", "estimated departure from the port of lading"),
  pol_atd_at: orNull("moment", "actual departure from the port of lading"),
  pod_eta_at: orNull("moment", "estimated arrival at the port of discharge"),
  pod_original_eta_at: orNull("moment", "first estimated arrival at the port of discharge"),
  pod_ata_at: orNull("moment", "actual arrival at the port of discharge"),
  destination_eta_at: orNull("moment", "estimated arrival at the destination"),
  destination_ata_at: orNull("moment", "actual arrival at the destination"),
  pol_timezone: orNull("zone", "time zone of the port of lading"),
  pod_timezone: orNull("zone", "time zone of the port of discharge"),
  destination_timezone: orNull("zone", "time zone of the destination"),
  line_tracking_last_attempted_at: orNull("moment", "last poll of the carrier"),
  line_tracking_last_succeeded_at: orNull("moment", "last successful poll of the carrier"),
  line_tracking_stopped_at: orNull("moment", "end of polling"),
  line_tracking_stopped_reason: orNull("stop_reason", "reason for the end of polling"),
} as const satisfies Record<string, AttributeRow>;

export const stopReasons = [
  "all_containers_terminated",
  "past_arrival_window",
  "past_full_out_window",
  "no_updates_at_line",
  "cancelled_by_user",
  "booking_cancelled",
] as const;

export interface RelationshipRow {
  readonly many?: true;
  readonly types: readonly [string, ...string[]];
  readonly meaning: string;
}

export const shipmentRelationships = {
  destination: { types: ["port", "metro_area"], meaning: "destination" },
  port_of_lading: { types: ["port"], meaning: "port of lading" },
  port_of_discharge: { types: ["port"], meaning: "port of discharge" },
  containers: { many: true, types: ["container"], meaning: "containers of the shipment" },
  pod_terminal: { types: ["terminal"], meaning: "terminal at the port of discharge" },
  destination_terminal: { types: ["terminal", "rail_terminal"], meaning: "terminal at the destination" },
  line_tracking_stopped_by_user: { types: ["user"], meaning: "user who stopped tracking" },
} as const satisfies Record<string, RelationshipRow>;
