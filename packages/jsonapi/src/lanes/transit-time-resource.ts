import { type TransitTime, transitTimeFields } from "@svc/domain/lanes";
import { z } from "zod";
import { omitted, wireAttributes } from "../records/wire-attributes.ts";

const attributes = wireAttributes(transitTimeFields, { id: omitted });

/** Transit and dwell times of one shipping line on one lane, from the account's own shipments. */
export const TransitTimeResource = z
  .object({ id: z.uuid(), type: z.literal("transit_time"), attributes: z.object(attributes.shape) })
  .meta({ id: "TransitTime" });

export type TransitTimeResource = z.infer<typeof TransitTimeResource>;

export const transitTimeResource = (lane: TransitTime): TransitTimeResource => ({
  id: lane.id,
  type: "transit_time",
  attributes: attributes.of(lane),
});
