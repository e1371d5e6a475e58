import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";

export const vesselFields = {
  id: z.uuid(),
  name: z.string(),
  imo: z.string().nullable(),
  mmsi: z.string().nullable(),
};

export interface Vessel extends RecordOf<typeof vesselFields> {}
