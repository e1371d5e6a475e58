import type { Container, TerminalFee, TerminalHold } from "@svc/domain/containers";
import type { TerminalKind } from "@svc/domain/reference-data";

/** One row of a container as its record shows it, over `containers c` joined by `containerJoins`. */
export const containerColumns = `
  c.id, c.shipment_id AS "shipmentId", c.number, c.ref_numbers AS "refNumbers", c.current_status AS "currentStatus",
  c.equipment_type AS "equipmentType", c.equipment_length AS "equipmentLength", c.equipment_height AS "equipmentHeight",
  c.weight_in_lbs AS "weightInLbs", c.seal_number AS "sealNumber", c.availability_known AS "availabilityKnown",
  c.available_for_pickup AS "availableForPickup", c.pickup_lfd AS "pickupLfd",
  c.pickup_lfd_terminal AS "pickupLfdTerminal", c.pickup_lfd_rail AS "pickupLfdRail",
  c.pickup_lfd_line AS "pickupLfdLine", c.pickup_appointment_at AS "pickupAppointmentAt",
  c.pickup_facility_id AS "pickupFacilityId", pickup_facility.kind AS "pickupFacilityKind",
  c.pod_terminal_id AS "podTerminalId", c.location_at_pod_terminal AS "locationAtPodTerminal",
  (SELECT max(t.last_succeeded_at) FROM tracking_subjects t WHERE t.account_id = c.account_id AND t.number = c.id::text
    AND t.kind = 'terminal_container') AS "terminalCheckedAt", c.holds_at_pod_terminal AS "holdsAtPodTerminal",
  c.fees_at_pod_terminal AS "feesAtPodTerminal", c.empty_out_at AS "emptyOutAt", c.pol_full_in_at AS "polFullInAt",
  c.pol_vessel_loaded_at AS "polVesselLoadedAt", c.pol_vessel_departed_at AS "polVesselDepartedAt",
  c.pod_arrived_at AS "podArrivedAt", c.pod_discharged_at AS "podDischargedAt", c.pod_full_out_at AS "podFullOutAt",
  c.pod_full_out_chassis_number AS "podFullOutChassisNumber", discharge.time_zone AS "podTimezone",
  c.pod_rail_carrier_scac AS "podRailCarrierScac", c.ind_rail_carrier_scac AS "indRailCarrierScac",
  c.pod_rail_loaded_at AS "podRailLoadedAt", c.pod_rail_departed_at AS "podRailDepartedAt", c.ind_eta_at AS "indEtaAt",
  c.ind_ata_at AS "indAtaAt", c.ind_rail_unloaded_at AS "indRailUnloadedAt",
  c.final_destination_full_out_at AS "finalDestinationFullOutAt",
  c.final_destination_timezone AS "finalDestinationTimezone", c.delivered_at AS "deliveredAt",
  c.empty_terminated_at AS "emptyTerminatedAt", c.empty_terminated_timezone AS "emptyTerminatedTimezone",
  subject.last_attempted_at AS "shipmentLastTrackingRequestAt",
  c.row_version AS "rowVersion", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** @param shipments the table, or an expression that replaces it. */
export const containerJoinsOf = (shipments: string): string => `
  JOIN ${shipments} s ON s.account_id = c.account_id AND s.id = c.shipment_id
  LEFT JOIN tracking_subjects subject ON subject.id = s.subject_id
  LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
  LEFT JOIN terminals pickup_facility ON pickup_facility.id = c.pickup_facility_id`;

export const containerJoins = containerJoinsOf("shipments");

/** The columns of `containerColumns` as the driver returns them; holds and fees are JSON in the shape of the domain. */
export interface ContainerRow extends Omit<Container, "pickupFacility"> {
  readonly pickupFacilityId: string | null;
  readonly pickupFacilityKind: TerminalKind | null;
  readonly holdsAtPodTerminal: TerminalHold[];
  readonly feesAtPodTerminal: TerminalFee[];
}

export function toContainer(row: ContainerRow): Container {
  const { pickupFacilityId: id, pickupFacilityKind: kind } = row;
  return { ...row, pickupFacility: id === null || kind === null ? null : { id, kind } };
}
