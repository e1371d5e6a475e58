import type { LaneFilters } from "@svc/domain/lanes";
import type { FilterSql } from "../lists/list-rows.ts";

/** Filters over lanes `a`. */
export const laneFilterSql: FilterSql<LaneFilters> = {
  carrier: (p) => `a.scac = ANY(${p}::text[])`,
  portOfLading: (p) => `a.from_port = ANY(${p}::text[])`,
  portOfDischarge: (p) => `a.to_port = ANY(${p}::text[])`,
};
