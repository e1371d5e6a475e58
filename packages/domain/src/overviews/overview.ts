import { z } from "zod";
import { containerStatuses, type TerminalFee, type TerminalHold } from "../containers/container.ts";
import type { ChargeSummary } from "../demurrage/index.ts";
import type { ChargedDetails, DelayException } from "../exceptions/index.ts";
import type { RecordOf } from "../records/field-table.ts";
import { overviewStatuses, stopReasons } from "../shipments/index.ts";
import { freshnesses } from "../tracking/index.ts";

/** Days of the clock of the place of pickup; `over`: before today; the week is what remains of it, until Sunday. */
export const lastFreeDayPeriods = ["over", "today", "within_3_days", "within_7_days", "this_week"] as const;
export type LastFreeDayPeriod = (typeof lastFreeDayPeriods)[number];

const text = z.string().nullable();
const time = z.iso.datetime().nullable();
const timeZone = text.describe("IANA time zone name");
const containers = z.number().int();

const delayText =
  "Number of days later than first estimated, between the local dates; negative: earlier. An overdue arrival (its estimate passed a day ago or more) is late at least by the days since the first estimate.";

/** A record with attributes of its shipment, ports, vessel and customer. */
const sharedFields = {
  billOfLadingNumber: z.string(),
  shippingLineScac: z.string(),
  refNumbers: z.array(z.string()),
  tags: z.array(z.string()),
  customerName: text,
  polLocode: text.describe("UN/LOCODE of the port of lading."),
  polName: text,
  polTimezone: timeZone,
  podLocode: text.describe("UN/LOCODE of the port of discharge."),
  podName: text,
  podTimezone: timeZone,
  destinationLocode: text,
  destinationName: text,
  destinationTimezone: timeZone,
  vesselName: text.describe("Vessel of the call at the port of discharge."),
  vesselImo: text,
  voyageNumber: text,
  polEtdAt: time,
  polAtdAt: time,
  podEtaAt: time,
  podOriginalEtaAt: time,
  podAtaAt: time,
  destinationEtaAt: time,
  destinationAtaAt: time,
  /** Value of `shipmentArrival`, or `unknownArrival`. */
  arrivalAt: z.iso.datetime(),
  delayDays: z.number().int().nullable().describe(delayText),
  freshness: z
    .enum(freshnesses)
    .nullable()
    .describe("Freshness of the tracking data, as in GET /shipments/{id}/freshness. Null: tracking has stopped."),
  lastChangedAt: time.describe("When the shipping line last reported a change, as it dates it."),
  lineTrackingStoppedAt: time,
  lineTrackingStoppedReason: z.enum(stopReasons).nullable(),
  lastEvent: text.describe("Name of the latest milestone."),
  lastEventAt: time,
  lastEventLocode: text,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const containerOverviewFields = {
  id: z.uuid(),
  number: z.string(),
  shipmentId: z.uuid(),
  status: z.enum(containerStatuses),
  ...sharedFields,
  availableForPickup: z.boolean().nullable(),
  holds: z.custom<readonly TerminalHold[]>(),
  fees: z.custom<readonly TerminalFee[]>(),
  lastFreeDay: z.iso.date().nullable().describe("Local date at the place of pickup; the earliest of the known ones."),
  lastFreeDayTimezone: z.string().describe("IANA time zone of the place of pickup; UTC when it is not known."),
  lastFreeDaySource: z
    .enum(["terminal", "line", "rail", "rule"])
    .nullable()
    .describe("The source of that date; rule: a demurrage rule of the account."),
  /** Charges by the demurrage rules of the account. Null: no rule applies. */
  charges: z.custom<readonly ChargeSummary[] | null>(),
  pickupAppointmentAt: time,
  /** Empty: unknown. */
  equipment: z.string(),
  podDischargedAt: time,
  fullOutAt: time,
  emptyTerminatedAt: time,
  /** Details of the exceptions whose charges run or begin soon. Null: there is none. */
  chargedExceptions: z.custom<readonly ChargedDetails[] | null>(),
  /** The exception that explains the delay; after the arrival the one that it ended. Null: none is known. */
  delayException: z.custom<DelayException | null>(),
};

const lastContainer = "If the containers arrive separately, that of the last one.";

/** The arrival of a shipment is that of its last container. */
const lastContainerFields = {
  vesselName: sharedFields.vesselName.describe(`Vessel of the call at the port of discharge. ${lastContainer}`),
  podEtaAt: time.describe(`Estimated arrival at the port of discharge. ${lastContainer}`),
  podOriginalEtaAt: time.describe(`First estimated arrival at the port of discharge. ${lastContainer}`),
  podAtaAt: time.describe(`Actual arrival at the port of discharge. ${lastContainer}`),
  destinationAtaAt: time.describe(`Actual arrival at the destination. ${lastContainer}`),
  delayDays: sharedFields.delayDays.describe(`${delayText} ${lastContainer}`),
};

export const shipmentOverviewFields = {
  id: z.uuid(),
  status: z
    .enum(overviewStatuses)
    .describe(
      "Status of the shipment. `picked_up`: all of its containers were taken out full. `returned`: all of them were returned, after which tracking stops.",
    ),
  ...sharedFields,
  ...lastContainerFields,
  containersTotal: containers,
  containerNumbers: z.array(z.string()).max(10).describe("Numbers of the first ten containers; exports have all."),
  containersArrived: containers.describe("Number of containers that arrived at the port of discharge."),
  vesselsTotal: z
    .number()
    .int()
    .describe("Number of known vessels that bring its containers to the port of discharge; several if it is split."),
  containersAvailable: containers.describe("Number of containers that are available for pickup and not picked up yet."),
  containersOnHold: containers.describe("Number of containers with an active hold that are not picked up yet."),
  containersOnRail: containers,
  containersPickedUp: containers,
  containersReturned: containers,
  lastFreeDay: z.iso
    .date()
    .nullable()
    .describe(
      "Earliest last free day of the containers that are not picked up, as a local date at the place of pickup.",
    ),
};

export interface ContainerOverview extends RecordOf<typeof containerOverviewFields> {}

export interface ShipmentOverview extends RecordOf<typeof shipmentOverviewFields> {}
