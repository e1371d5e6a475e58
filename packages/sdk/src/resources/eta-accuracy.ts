import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { Reader, ReadOptions } from "./reader.ts";
import { etaAccuracyKind } from "./record-kinds.ts";

export interface EtaAccuracyFilters {
  /** SCAC. */
  readonly carrier?: FilterValue;
  /** UN/LOCODE. */
  readonly portOfLading?: FilterValue;
  readonly portOfDischarge?: FilterValue;
}

export type EtaAccuracyParameters = PageParameters & { readonly filter?: EtaAccuracyFilters | undefined };

export function etaAccuracyResource<F extends Format>(reader: Reader<F>) {
  return {
    /** How far estimated arrivals were off, for each line and lane of the account's shipments. */
    list<G extends Format = F>(parameters: EtaAccuracyParameters = {}, options?: ReadOptions<G>) {
      return reader.list(etaAccuracyKind, "/eta_accuracy", filterQuery({ ...parameters.filter }), parameters, options);
    },
  };
}
