import {
  type AsOfParameters,
  asOfQuery,
  type FilterValue,
  filterQuery,
  type HistoryParameters,
} from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { Reader, ReadOptions } from "./reader.ts";
import { fieldChangeKind, provenanceKind } from "./record-kinds.ts";

/**
 * Filters of shipments and of containers. Several values of one filter mean any of them; several filters mean all of
 * them.
 */
export interface DerivedRecordFilters {
  readonly status?: FilterValue;
  /** UN/LOCODE of lading, discharge or destination. */
  readonly port?: FilterValue;
  /** SCAC. */
  readonly carrier?: FilterValue;
  readonly updatedAfter?: string | Date | undefined;
  readonly createdAfter?: string | Date | undefined;
  readonly number?: FilterValue;
  readonly refNumber?: FilterValue;
  readonly tag?: FilterValue;
  readonly trackingStopped?: boolean | undefined;
}

/** Calls that shipments and containers share: history and provenance. `pathOf`: of a record. */
export function derivedRecordCalls<F extends Format>(
  reader: Reader<F>,
  recordPath: (id: string, rest: string) => string,
) {
  return {
    /** Old and new value of every tracked attribute, latest change first. */
    history<G extends Format = F>(id: string, parameters: HistoryParameters = {}, options?: ReadOptions<G>) {
      const query = filterQuery({ ...parameters.filter });
      return reader.list(fieldChangeKind, recordPath(id, "/history"), query, parameters, options);
    },
    iterateHistory<G extends Format = F>(
      id: string,
      parameters: Omit<HistoryParameters, "page"> = {},
      options?: ReadOptions<G>,
    ) {
      const query = filterQuery({ ...parameters.filter });
      return reader.iterate(fieldChangeKind, recordPath(id, "/history"), query, parameters, options);
    },
    /** Lists the source, rule and stored response of every derived attribute; with `asOf`, as known at that time. */
    provenance<G extends Format = F>(id: string, parameters: AsOfParameters = {}, options?: ReadOptions<G>) {
      return reader.list(provenanceKind, recordPath(id, "/provenance"), asOfQuery(parameters), parameters, options);
    },
  };
}
