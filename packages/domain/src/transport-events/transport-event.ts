import { z } from "zod";
import { dataSources, timePrecisions } from "../observations/observation.ts";
import type { RecordOf } from "../records/field-table.ts";
import { terminalKinds } from "../reference-data/terminal.ts";

/** Milestones of the public timeline, in journey order (docs/contract/reference.md 3.1, without prefix). */
export const transportEventNames = [
  "empty_out",
  "full_in",
  "vessel_loaded",
  "vessel_departed",
  "feeder_loaded",
  "feeder_departed",
  "feeder_arrived",
  "feeder_discharged",
  "transshipment_arrived",
  "transshipment_discharged",
  "transshipment_loaded",
  "transshipment_departed",
  "vessel_arrived",
  "vessel_berthed",
  "vessel_discharged",
  "rail_loaded",
  "rail_departed",
  "rail_arrived",
  "arrived_at_inland_destination",
  "rail_unloaded",
  "available",
  "not_available",
  "full_out",
  "delivered",
  "empty_in",
] as const;

export type TransportEventName = (typeof transportEventNames)[number];

/** Changes of estimates, notified in the same form as milestones (docs/contract/reference.md 3.1). */
export const estimatedTransportEventNames = [
  "estimated.vessel_departed",
  "estimated.vessel_arrived",
  "estimated.arrived_at_inland_destination",
] as const;

export type EstimatedTransportEventName = (typeof estimatedTransportEventNames)[number];

/** Changes of pickup dates, notified in the same form (docs/contract/reference.md 3.1, 5.4). */
export const pickupChangeNames = [
  "pickup_lfd.changed",
  "pickup_lfd_line.changed",
  "pickup_lfd_terminal.changed",
  "pickup_lfd_rail.changed",
  "pickup_appointment.changed",
] as const;

export type PickupChangeName = (typeof pickupChangeNames)[number];

export const listedEventNames = [
  ...transportEventNames,
  ...estimatedTransportEventNames,
  ...pickupChangeNames,
] as const;

export type ListedEventName = (typeof listedEventNames)[number];

const text = z.string().nullable();
const time = z.iso.datetime().nullable();
const idOrNull = z.uuid().nullable();

/** docs/contract/reference.md 2.4. */
export const transportEventFields = {
  id: z.uuid(),
  event: z.enum(listedEventNames),
  occurredAt: time.describe("The event time; for an estimate the estimated time."),
  timeZone: text.describe("IANA time zone name of the place"),
  voyageNumber: text,
  locationLocode: text.describe("UN/LOCODE"),
  dataSource: z.enum(dataSources),
  /** The new deadline or appointment; null: none, or an event of another kind. */
  value: time.describe("The new value of a changed deadline or appointment."),
  createdAt: z.iso.datetime(),
  invalidatedAt: time.describe("When a later version replaced this one."),
  shipmentId: z.uuid(),
  containerId: z.uuid(),
  timePrecision: z
    .enum(timePrecisions)
    .describe("exact; local_assumed: the source gave no offset; date_only: the source gave the day only."),
  portId: idOrNull,
  metroAreaId: idOrNull,
  terminalId: idOrNull,
  terminalKind: z.enum(terminalKinds).nullable(),
  vesselId: idOrNull,
  previousVersionId: idOrNull,
  /** The observation that it follows from; null where it follows from several. */
  sourceEventId: idOrNull,
};

/** A milestone, or the change of an estimate, a deadline or an appointment, as the events of a container list it. */
export interface ListedTransportEvent extends RecordOf<typeof transportEventFields> {}

/** An actual milestone of a container. A correction adds a version and invalidates the old one. */
export interface TransportEvent extends Omit<ListedTransportEvent, "event" | "value"> {
  readonly event: TransportEventName;
}
