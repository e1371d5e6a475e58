import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";
import { metroAreaFields } from "./metro-area.ts";

const { id, name, locode, stateAbbr, ...position } = metroAreaFields;

export const portFields = {
  id,
  name,
  locode,
  stateAbbr,
  city: z.string().nullable(),
  ...position,
  /** Terminals, also those for rail; not those that only one account reported. At most 100. */
  terminalIds: z.array(z.uuid()),
};

/**
 * A sea or river port. `locode` is its canonical UN/LOCODE, to which aliases resolve. One without a time zone is known
 * only from carrier replies.
 */
export interface Port extends RecordOf<typeof portFields> {}
