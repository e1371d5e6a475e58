/** The shipment tables of the interface specification as data: the ledger and the test of the real record share them. */

/** `texts` is an array of texts, `moment` an RFC 3339 time, `zone` an IANA time zone name. */
export type AttributeKind = "text" | "texts" | "moment" | "locode" | "zone" | "stop_reason";

export interface AttributeRow {
  readonly kind: AttributeKind;
  readonly nullable: boolean;
  readonly meaning: string;
}

const always = (kind: AttributeKind, meaning: string): AttributeRow => ({ kind, nullable: false, meaning });
const orNull = (kind: AttributeKind, meaning: string): AttributeRow => ({ kind, nullable: true, meaning });

export const shipmentAttributes = {
  bill_of_lading_number: always("text", "the number of the bill of lading; the one attribute that must be there"),
  normalized_number: always("text", "the number in the form in which the carrier is asked for it"),
  ref_numbers: orNull("texts", "the account's own reference numbers"),
  created_at: always("moment", "when the record was made"),
  tags: always("texts", "the account's own labels"),
  port_of_lading_locode: orNull("locode", "the UN/LOCODE where the goods are loaded"),
  port_of_lading_name: orNull("text", "the name of the place where the goods are loaded"),
  port_of_discharge_locode: orNull("locode", "the UN/LOCODE where the goods leave the ship"),
  port_of_discharge_name: orNull("text", "the name of the place where the goods leave the ship"),
  destination_locode: orNull("locode", "the UN/LOCODE where the journey ends"),
  destination_name: orNull("text", "the name of the place where the journey ends"),
  shipping_line_scac: always("text", "the SCAC of the shipping line"),
  shipping_line_name: always("text", "the full name of the shipping line"),
  shipping_line_short_name: always("text", "the short name of the shipping line"),
  customer_name: orNull("text", "the customer for whom the account tracks it"),
  pod_vessel_name: orNull("text", "the ship that arrives at the port of discharge"),
  pod_vessel_imo: orNull("text", "the IMO number of that ship"),
  pod_voyage_number: orNull("text", "the voyage of that ship"),
  pol_etd_at: orNull("moment", "when it is expected to leave the port of lading"),
  pol_atd_at: orNull("moment", "when it left the port of lading"),
  pod_eta_at: orNull("moment", "when it is expected at the port of discharge"),
  pod_original_eta_at: orNull("moment", "the first expectation for the port of discharge"),
  pod_ata_at: orNull("moment", "when it arrived at the port of discharge"),
  destination_eta_at: orNull("moment", "when it is expected at the destination"),
  destination_ata_at: orNull("moment", "when it arrived at the destination"),
  pol_timezone: orNull("zone", "the time zone of the port of lading"),
  pod_timezone: orNull("zone", "the time zone of the port of discharge"),
  destination_timezone: orNull("zone", "the time zone of the destination"),
  line_tracking_last_attempted_at: orNull("moment", "when the shipping line was asked last"),
  line_tracking_last_succeeded_at: orNull("moment", "when the shipping line last gave an answer that could be used"),
  line_tracking_stopped_at: orNull("moment", "since when the shipping line is not asked any more"),
  line_tracking_stopped_reason: orNull("stop_reason", "why it is not asked any more, one of six reasons"),
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
  destination: { types: ["port", "metro_area"], meaning: "where the journey ends" },
  port_of_lading: { types: ["port"], meaning: "where the goods are loaded" },
  port_of_discharge: { types: ["port"], meaning: "where the goods leave the ship" },
  containers: { many: true, types: ["container"], meaning: "its containers" },
  pod_terminal: { types: ["terminal"], meaning: "the terminal at the port of discharge" },
  destination_terminal: { types: ["terminal", "rail_terminal"], meaning: "the terminal at the destination" },
  line_tracking_stopped_by_user: { types: ["user"], meaning: "who stopped the tracking" },
} as const satisfies Record<string, RelationshipRow>;
