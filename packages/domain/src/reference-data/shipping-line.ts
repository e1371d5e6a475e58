import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";

export const shippingLineFields = {
  id: z.uuid(),
  scac: z.string(),
  name: z.string(),
  shortName: z.string(),
  alternativeScacs: z.array(z.string()),
  billOfLadingTrackingSupport: z.boolean(),
  bookingNumberTrackingSupport: z.boolean(),
  containerNumberTrackingSupport: z.boolean(),
  serviceConnected: z
    .boolean()
    .describe("Whether the service has its own access. False: only accounts with a carrier connection receive data."),
};

/** A carrier and the number types it supports. */
export interface ShippingLine extends RecordOf<typeof shippingLineFields> {}
