import { z } from "zod";
import { derived, type RecordOf, type ValueOf } from "../records/field-table.ts";
import { terminalReference } from "../shipments/shipment.ts";

/** docs/contract/reference.md 5.2. */
export const containerStatuses = [
  "new",
  "loaded",
  "on_ship",
  "grounded",
  "available",
  "not_available",
  "awaiting_inland_transfer",
  "on_rail",
  "off_dock",
  "picked_up",
  "dropped",
  "delivered",
  "empty_returned",
] as const;

export type ContainerStatus = (typeof containerStatuses)[number];

const hold = z.object({ name: z.string(), status: z.enum(["pending", "hold"]), description: z.string().nullable() });
const fee = z.object({
  type: z.enum(["demurrage", "exam", "extended_dwell_time", "other", "total"]),
  amount: z.number(),
  currencyCode: z.string().nullable(),
});

export type TerminalHold = ValueOf<typeof hold>;
export type TerminalFee = ValueOf<typeof fee>;

const text = z.string().nullable();
const time = z.iso.datetime().nullable();
const timeZone = text.describe("IANA time zone name");

/** docs/contract/specification.md, Container; docs/contract/reference.md 2.2. */
export const containerFields = {
  id: z.uuid(),
  shipmentId: z.uuid(),
  number: z.string(),
  refNumbers: z.array(z.string()),
  equipmentType: derived(text.describe("dry, reefer, open top, flat rack, bulk or tank")),
  equipmentLength: derived(z.number().int().nullable().describe("feet")),
  equipmentHeight: derived(text.describe("standard or high_cube")),
  weightInLbs: z.number().nullable(),
  sealNumber: derived(text),
  createdAt: z.iso.datetime(),
  currentStatus: derived(z.enum(containerStatuses)),
  /** Whether a terminal reports if the container can be picked up. */
  availabilityKnown: derived(z.boolean()),
  availableForPickup: derived(z.boolean().nullable()),
  pickupLfd: derived(
    time.describe("Last free day of the line, else of the terminal, else of rail. Another source may charge earlier."),
  ),
  pickupLfdTerminal: derived(time),
  pickupLfdRail: derived(time),
  pickupLfdLine: derived(time),
  pickupAppointmentAt: derived(time),
  emptyOutAt: derived(time),
  polFullInAt: derived(time),
  polVesselLoadedAt: derived(time),
  polVesselDepartedAt: derived(time),
  podEtaAt: derived(
    time.describe(
      "ETA of this container at the port of discharge. Null unless the containers of the shipment arrive separately: " +
        "then `pod_eta_at` of the shipment holds.",
    ),
  ),
  podOriginalEtaAt: derived(time.describe("First ETA of this container, if the containers arrive separately.")),
  podVesselName: derived(text.describe("Vessel of this container, if the containers arrive separately.")),
  podVesselImo: derived(text),
  podVoyageNumber: derived(text),
  podArrivedAt: derived(time),
  podDischargedAt: derived(time),
  podFullOutAt: derived(time),
  podFullOutChassisNumber: derived(text),
  locationAtPodTerminal: derived(text),
  terminalCheckedAt: time,
  holdsAtPodTerminal: derived(z.array(hold)),
  feesAtPodTerminal: derived(z.array(fee)),
  podTimezone: timeZone,
  finalDestinationFullOutAt: derived(time),
  finalDestinationTimezone: timeZone,
  deliveredAt: time,
  emptyTerminatedAt: derived(time),
  emptyTerminatedTimezone: timeZone,
  podRailCarrierScac: text,
  indRailCarrierScac: text,
  podRailLoadedAt: derived(time),
  podRailDepartedAt: derived(time),
  indEtaAt: derived(time),
  indAtaAt: derived(time),
  indRailUnloadedAt: derived(time),
  /** When the shipping line was last polled for the shipment. */
  shipmentLastTrackingRequestAt: time,
  pickupFacility: terminalReference.nullable(),
  podTerminalId: z.uuid().nullable(),
  rowVersion: z.number().int(),
  updatedAt: z.iso.datetime(),
};

/** A container of a shipment, as the account sees it. */
export interface Container extends RecordOf<typeof containerFields> {}

/** The newest events of a container in descending order, for the links of its resource. */
export interface ContainerLinks {
  readonly transportEventIds: readonly string[];
  readonly rawEventIds: readonly string[];
}
