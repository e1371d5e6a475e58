import type { Instant } from "@svc/domain";
import { z } from "zod";
import { dateTime } from "../resource.ts";

const count = z.number().int();
const days = z.number().nullable();

/** Transit and dwell times of one shipping line on one lane, from the account's own shipments. */
export const TransitTimeResource = z
  .object({
    id: z.uuid(),
    type: z.literal("transit_time"),
    attributes: z.object({
      shipping_line_scac: z.string(),
      port_of_lading_locode: z.string(),
      port_of_lading_name: z.string(),
      port_of_discharge_locode: z.string(),
      port_of_discharge_name: z.string(),
      shipments: count.describe("Number of arrived shipments that count, at most the newest 200."),
      mean_transit_days: days.describe(
        "From the departure at the port of lading to the arrival at the port of discharge.",
      ),
      median_transit_days: days,
      p90_transit_days: days.describe("90 % of the shipments took less time."),
      containers: count.describe("Number of containers with a discharge and a full gate-out at the port of discharge."),
      mean_dwell_days: days.describe("From the discharge to the full gate-out at the port of discharge."),
      median_dwell_days: days,
      p90_dwell_days: days,
      last_arrived_at: dateTime,
    }),
  })
  .meta({ id: "TransitTime" });

export type TransitTimeResource = z.infer<typeof TransitTimeResource>;

export interface TransitTime {
  readonly id: string;
  readonly scac: string;
  readonly portOfLadingLocode: string;
  readonly portOfLadingName: string;
  readonly portOfDischargeLocode: string;
  readonly portOfDischargeName: string;
  readonly shipments: number;
  readonly meanTransitDays: number | null;
  readonly medianTransitDays: number | null;
  readonly p90TransitDays: number | null;
  readonly containers: number;
  readonly meanDwellDays: number | null;
  readonly medianDwellDays: number | null;
  readonly p90DwellDays: number | null;
  readonly lastArrivedAt: Instant;
}

export const transitTimeResource = (lane: TransitTime): TransitTimeResource => ({
  id: lane.id,
  type: "transit_time",
  attributes: {
    shipping_line_scac: lane.scac,
    port_of_lading_locode: lane.portOfLadingLocode,
    port_of_lading_name: lane.portOfLadingName,
    port_of_discharge_locode: lane.portOfDischargeLocode,
    port_of_discharge_name: lane.portOfDischargeName,
    shipments: lane.shipments,
    mean_transit_days: lane.meanTransitDays,
    median_transit_days: lane.medianTransitDays,
    p90_transit_days: lane.p90TransitDays,
    containers: lane.containers,
    mean_dwell_days: lane.meanDwellDays,
    median_dwell_days: lane.medianDwellDays,
    p90_dwell_days: lane.p90DwellDays,
    last_arrived_at: lane.lastArrivedAt,
  },
});
