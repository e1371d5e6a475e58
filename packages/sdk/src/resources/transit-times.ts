import { filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { EtaAccuracyFilters } from "./eta-accuracy.ts";
import type { Reader, ReadOptions } from "./reader.ts";
import { transitTimeKind } from "./record-kinds.ts";

export type TransitTimeParameters = PageParameters & { readonly filter?: EtaAccuracyFilters | undefined };

export function transitTimesResource<F extends Format>(reader: Reader<F>) {
  return {
    /** Transit times, and dwell times at the port of discharge, for each line and lane of the account's shipments. */
    list<G extends Format = F>(parameters: TransitTimeParameters = {}, options?: ReadOptions<G>) {
      return reader.list(transitTimeKind, "/transit_times", filterQuery({ ...parameters.filter }), parameters, options);
    },
  };
}
