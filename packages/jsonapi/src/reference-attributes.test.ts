import { expect, test } from "@jest/globals";
import { attributeNames, type ResourceType } from "./resource-graph.ts";

/** The attribute tables of docs/contract/reference.md 2, including attributes seen only in live responses. */
const tables: Partial<Record<ResourceType, string>> = {
  shipment: `bill_of_lading_number normalized_number ref_numbers tags created_at port_of_lading_locode
    port_of_lading_name port_of_discharge_locode port_of_discharge_name destination_locode destination_name
    shipping_line_scac shipping_line_name shipping_line_short_name customer_name pod_vessel_name pod_vessel_imo
    pod_voyage_number pol_etd_at pol_atd_at pod_eta_at pod_original_eta_at pod_ata_at destination_eta_at
    destination_ata_at pol_timezone pod_timezone destination_timezone line_tracking_last_attempted_at
    line_tracking_last_succeeded_at line_tracking_stopped_at line_tracking_stopped_reason pol_original_etd_at
    destination_original_eta_at`,
  container: `number ref_numbers equipment_type equipment_length equipment_height weight_in_lbs seal_number created_at
    current_status availability_known available_for_pickup pickup_lfd import_deadlines pickup_appointment_at
    pod_arrived_at pod_discharged_at pod_full_out_at pod_full_out_chassis_number location_at_pod_terminal
    terminal_checked_at holds_at_pod_terminal fees_at_pod_terminal pod_timezone final_destination_full_out_at
    final_destination_timezone empty_terminated_at empty_terminated_timezone pod_rail_carrier_scac
    ind_rail_carrier_scac pod_rail_loaded_at pod_rail_departed_at ind_eta_at ind_ata_at ind_rail_unloaded_at
    ind_facility_lfd_on pod_last_tracking_request_at shipment_last_tracking_request_at delivered_at empty_out_at
    pol_full_in_at pol_vessel_loaded_at pol_vessel_departed_at rail_last_tracking_request_at ind_facility_holds
    ind_facility_fees ssl_lfd`,
  tracking_request: `request_number request_type scac ref_numbers tags shipment_tags status failed_reason is_retrying
    retry_count created_at updated_at`,
  transport_event: `event timestamp timezone voyage_number location_locode data_source created_at invalidated_at value
    value_timestamp`,
  raw_event: `event original_event timestamp estimated timezone location_name location_locode vessel_name vessel_imo
    voyage_number index created_at actual_on estimated_on actual_at estimated_at will_occur_at invalidated_at
    data_source data_provider_name data_provider_code`,
  webhook: "url active events secret headers created_at",
  webhook_notification: "event delivery_status created_at",
  port: "name code state_abbr city country_code time_zone latitude longitude",
  terminal: `name nickname firms_code smdg_code bic_facility_code street city state state_abbr zip country
    provided_data facility_type`,
  rail_terminal: "name nickname firms_code",
  metro_area: "name code state_abbr country_code time_zone latitude longitude",
  vessel: `name imo mmsi latitude longitude nautical_speed_knots navigational_heading_degrees position_timestamp
    positions`,
  shipping_line: `scac name alternative_scacs short_name bill_of_lading_tracking_support
    booking_number_tracking_support container_number_tracking_support provided_data tracking_url contact_url`,
  party: "company_name",
  custom_field: "api_slug value display_value",
  custom_field_definition: `entity_type api_slug display_name data_type description reference_type validation
    default_format default_value`,
  custom_field_option: "label value position",
};

test.each(Object.entries(tables))(
  "a %s has every attribute that clients of the reference service know",
  (type, table) => {
    expect(attributeNames(type as ResourceType)).toEqual(expect.arrayContaining(table.split(/\s+/)));
  },
);
