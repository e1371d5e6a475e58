import type { Container, ContainerStatus } from "@svc/domain/containers";
import { containerStatus } from "@svc/domain/derivation";
import { transportEventNames } from "@svc/domain/transport-events";
import { exampleMilestones } from "./example-milestones.ts";
import { type ExampleMoment, exampleIds, exampleRefNumbers } from "./example-moment.ts";
import { exampleMetroArea, examplePorts, exampleTerminals } from "./example-places.ts";

/** Last free days and the appointment, in hours from the departure. They are known once the container is discharged. */
export const pickupHours = { line: 570, terminal: 452, rail: 552, appointment: 546 } as const;

function availability({ happenedAt }: ExampleMoment): boolean | null {
  if (happenedAt("available") === null) return null;
  return happenedAt("not_available") === null;
}

function statusOf(moment: ExampleMoment): ContainerStatus {
  const events = transportEventNames.flatMap((event) => {
    const occurredAt = moment.happenedAt(event);
    const milestoneKey = event === "full_out" ? "full_out:destination" : event;
    return occurredAt === null ? [] : [{ event, milestoneKey, occurredAt }];
  });
  return containerStatus({ events, hasInlandDestination: true, isAvailableForPickup: availability(moment) });
}

/** The container of the examples at a moment. */
export function exampleContainer(moment: ExampleMoment): Container {
  const { now, at, happenedAt, row } = moment;
  const availableForPickup = availability(moment);
  const whenDischarged = (hour: number) => (happenedAt("vessel_discharged") === null ? null : at(hour));
  const pickupLfdLine = whenDischarged(pickupHours.line);
  const hasHold = availableForPickup === false && happenedAt("full_out") === null;
  return {
    id: exampleIds.container,
    shipmentId: exampleIds.shipment,
    number: "SBXU0004924",
    refNumbers: exampleRefNumbers,
    currentStatus: statusOf(moment),
    equipmentType: "dry",
    equipmentLength: 40,
    equipmentHeight: "high_cube",
    weightInLbs: 38_580,
    sealNumber: "SB004924",
    availabilityKnown: availableForPickup !== null,
    availableForPickup,
    pickupLfd: pickupLfdLine,
    pickupLfdTerminal: whenDischarged(pickupHours.terminal),
    pickupLfdRail: whenDischarged(pickupHours.rail),
    pickupLfdLine,
    pickupAppointmentAt: whenDischarged(pickupHours.appointment),
    pickupFacility: exampleTerminals.rail,
    podTerminalId: exampleTerminals.port.id,
    locationAtPodTerminal: null,
    terminalCheckedAt: happenedAt("vessel_discharged") === null ? null : now,
    holdsAtPodTerminal: hasHold ? [{ name: "customs", status: "hold", description: "Customs examination" }] : [],
    feesAtPodTerminal: [],
    emptyOutAt: happenedAt("empty_out"),
    polFullInAt: happenedAt("full_in"),
    polVesselLoadedAt: happenedAt("vessel_loaded"),
    polVesselDepartedAt: happenedAt("vessel_departed"),
    podArrivedAt: happenedAt("vessel_arrived"),
    podDischargedAt: happenedAt("vessel_discharged"),
    podFullOutAt: null,
    podFullOutChassisNumber: null,
    podTimezone: examplePorts.losAngeles.timeZone,
    podRailCarrierScac: "SBXR",
    indRailCarrierScac: "SBXR",
    podRailLoadedAt: happenedAt("rail_loaded"),
    podRailDepartedAt: happenedAt("rail_departed"),
    indEtaAt: at(exampleMilestones.rail_arrived.hour),
    indAtaAt: happenedAt("rail_arrived"),
    indRailUnloadedAt: happenedAt("rail_unloaded"),
    finalDestinationFullOutAt: happenedAt("full_out"),
    finalDestinationTimezone: exampleMetroArea.timeZone,
    deliveredAt: happenedAt("delivered"),
    emptyTerminatedAt: happenedAt("empty_in"),
    emptyTerminatedTimezone: happenedAt("empty_in") === null ? null : exampleMetroArea.timeZone,
    shipmentLastTrackingRequestAt: now,
    ...row,
  };
}
