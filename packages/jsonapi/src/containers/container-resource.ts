import { type Container, type ContainerLinks, containerStatuses } from "@svc/domain/containers";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toManyElsewhere, toOne, toOneOrNull } from "../resource.ts";

const TerminalHold = z
  .object({ name: z.string(), status: z.enum(["pending", "hold"]), description: z.string().nullable() })
  .meta({ id: "TerminalHold" });

const TerminalFee = z
  .object({
    type: z.enum(["demurrage", "exam", "extended_dwell_time", "other", "total"]),
    amount: z.number(),
    currency_code: z.string().nullable(),
  })
  .meta({ id: "TerminalFee" });

/**
 * Two names for one value: docs/contract/specification.md container.container_number and docs/contract/reference.md 2.2
 * (`number`).
 */
export const ContainerResource = resourceObject(
  "container",
  {
    container_number: z.string().describe("ISO 6346 container number."),
    number: z.string().describe("The same as container_number."),
    ref_numbers: z.array(z.string()),
    equipment_type: z.string().nullable().describe("dry, reefer, open top, flat rack, bulk or tank"),
    equipment_length: z.number().int().nullable().describe("feet"),
    equipment_height: z.string().nullable().describe("standard or high_cube"),
    weight_in_lbs: z.number().nullable(),
    seal_number: z.string().nullable(),
    created_at: dateTime,
    current_status: z.enum(containerStatuses),
    availability_known: z.boolean(),
    available_for_pickup: z.boolean().nullable(),
    pickup_lfd: dateTime.nullable().describe("Effective last free day: the line's, else the terminal's, else rail's."),
    import_deadlines: z.object({
      pickup_lfd_terminal: dateTime.nullable(),
      pickup_lfd_rail: dateTime.nullable(),
      pickup_lfd_line: dateTime.nullable(),
    }),
    ssl_lfd: dateTime.nullable().describe("The same as import_deadlines.pickup_lfd_line."),
    pickup_appointment_at: dateTime.nullable(),
    empty_out_at: dateTime.nullable(),
    pol_full_in_at: dateTime.nullable(),
    pol_vessel_loaded_at: dateTime.nullable(),
    pol_vessel_departed_at: dateTime.nullable(),
    pod_arrived_at: dateTime.nullable(),
    pod_discharged_at: dateTime.nullable(),
    pod_full_out_at: dateTime.nullable(),
    pod_full_out_chassis_number: z.string().nullable(),
    location_at_pod_terminal: z.string().nullable(),
    terminal_checked_at: dateTime.nullable(),
    holds_at_pod_terminal: z.array(TerminalHold),
    fees_at_pod_terminal: z.array(TerminalFee),
    pod_timezone: z.string().nullable().describe("IANA time zone name"),
    final_destination_full_out_at: dateTime.nullable(),
    final_destination_timezone: z.string().nullable().describe("IANA time zone name"),
    delivered_at: dateTime.nullable(),
    empty_terminated_at: dateTime.nullable(),
    empty_terminated_timezone: z.string().nullable().describe("IANA time zone name"),
    pod_rail_carrier_scac: z.string().nullable(),
    ind_rail_carrier_scac: z.string().nullable(),
    pod_rail_loaded_at: dateTime.nullable(),
    pod_rail_departed_at: dateTime.nullable(),
    ind_eta_at: dateTime.nullable(),
    ind_ata_at: dateTime.nullable(),
    ind_rail_unloaded_at: dateTime.nullable(),
    ind_facility_lfd_on: dateTime.nullable().describe("Deprecated: use import_deadlines.pickup_lfd_rail."),
    ind_facility_holds: z.array(TerminalHold).nullable().describe("Null: not reported by any source."),
    ind_facility_fees: z.array(TerminalFee).nullable().describe("Null: not reported by any source."),
    pod_last_tracking_request_at: dateTime.nullable(),
    rail_last_tracking_request_at: dateTime.nullable().describe("Null: railways are not polled separately."),
    shipment_last_tracking_request_at: dateTime.nullable(),
  },
  {
    shipment: toOne("shipment"),
    pod_terminal: toOneOrNull("terminal"),
    pickup_facility: toOneOrNull("terminal").describe(
      "May be inland: a rail terminal is a terminal with the facility_type rail_terminal.",
    ),
    transport_events: toManyElsewhere("transport_event"),
    raw_events: toManyElsewhere("raw_event"),
  },
).meta({ id: "Container" });

export type ContainerResource = z.infer<typeof ContainerResource>;

const identifiers = <const Type extends string>(type: Type, ids: readonly string[]) => ids.map((id) => ({ type, id }));

/** The container with links to its newest events. */
export function withContainerLinks(
  container: ContainerResource,
  { transportEventIds, rawEventIds }: ContainerLinks,
): ContainerResource {
  const { transport_events, raw_events, ...others } = container.relationships;
  return {
    ...container,
    relationships: {
      ...others,
      transport_events: { ...transport_events, data: identifiers("transport_event", transportEventIds) },
      raw_events: { ...raw_events, data: identifiers("raw_event", rawEventIds) },
    },
  };
}

/** The wire form of a container, without the links to its events. */
export function containerResource(container: Container, baseUrl: string): ContainerResource {
  const self = `${baseUrl}/containers/${container.id}`;
  return {
    id: container.id,
    type: "container",
    attributes: {
      container_number: container.number,
      number: container.number,
      ref_numbers: [...container.refNumbers],
      equipment_type: container.equipmentType,
      equipment_length: container.equipmentLength,
      equipment_height: container.equipmentHeight,
      weight_in_lbs: container.weightInLbs,
      seal_number: container.sealNumber,
      created_at: container.createdAt,
      current_status: container.currentStatus,
      availability_known: container.availabilityKnown,
      available_for_pickup: container.availableForPickup,
      pickup_lfd: container.pickupLfd,
      import_deadlines: {
        pickup_lfd_terminal: container.pickupLfdTerminal,
        pickup_lfd_rail: container.pickupLfdRail,
        pickup_lfd_line: container.pickupLfdLine,
      },
      ssl_lfd: container.pickupLfdLine,
      pickup_appointment_at: container.pickupAppointmentAt,
      empty_out_at: container.emptyOutAt,
      pol_full_in_at: container.polFullInAt,
      pol_vessel_loaded_at: container.polVesselLoadedAt,
      pol_vessel_departed_at: container.polVesselDepartedAt,
      pod_arrived_at: container.podArrivedAt,
      pod_discharged_at: container.podDischargedAt,
      pod_full_out_at: container.podFullOutAt,
      pod_full_out_chassis_number: container.podFullOutChassisNumber,
      location_at_pod_terminal: container.locationAtPodTerminal,
      terminal_checked_at: container.terminalCheckedAt,
      holds_at_pod_terminal: container.holdsAtPodTerminal.map(({ name, status, description }) => ({
        name,
        status,
        description,
      })),
      fees_at_pod_terminal: container.feesAtPodTerminal.map(({ type, amount, currencyCode }) => ({
        type,
        amount,
        currency_code: currencyCode,
      })),
      pod_timezone: container.podTimezone,
      final_destination_full_out_at: container.finalDestinationFullOutAt,
      final_destination_timezone: container.finalDestinationTimezone,
      delivered_at: container.deliveredAt,
      empty_terminated_at: container.emptyTerminatedAt,
      empty_terminated_timezone: container.emptyTerminatedTimezone,
      pod_rail_carrier_scac: container.podRailCarrierScac,
      ind_rail_carrier_scac: container.indRailCarrierScac,
      pod_rail_loaded_at: container.podRailLoadedAt,
      pod_rail_departed_at: container.podRailDepartedAt,
      ind_eta_at: container.indEtaAt,
      ind_ata_at: container.indAtaAt,
      ind_rail_unloaded_at: container.indRailUnloadedAt,
      ind_facility_lfd_on: container.pickupLfdRail,
      ind_facility_holds: null,
      ind_facility_fees: null,
      pod_last_tracking_request_at: container.terminalCheckedAt,
      rail_last_tracking_request_at: null,
      shipment_last_tracking_request_at: container.shipmentLastTrackingRequestAt,
    },
    relationships: {
      shipment: linkage("shipment", container.shipmentId),
      pod_terminal: linkage("terminal", container.podTerminalId),
      pickup_facility: linkage("terminal", container.pickupFacility?.id ?? null),
      transport_events: { links: { related: `${self}/transport_events` } },
      raw_events: { links: { related: `${self}/raw_events` } },
    },
    links: { self },
  };
}
