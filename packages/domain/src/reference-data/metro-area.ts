import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";

export const metroAreaFields = {
  id: z.uuid(),
  name: z.string(),
  locode: z.string().describe("UN/LOCODE"),
  stateAbbr: z.string().nullable(),
  countryCode: z.string().describe("ISO 3166-1 alpha-2"),
  timeZone: z.string().nullable().describe("IANA time zone name"),
  latitude: z.number().nullable().describe("degrees"),
  longitude: z.number().nullable().describe("degrees"),
};

/** An inland place without a port. */
export interface MetroArea extends RecordOf<typeof metroAreaFields> {}
