import {
  type AsOfParameters,
  asOfQuery,
  type FilterValue,
  filterQuery,
  type HistoryParameters,
  type PageParameters,
} from "../documents/query.ts";
import type { Format } from "../format.ts";
import { type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { fieldChangeKind, freshnessKind, provenanceKind, shipmentKind } from "./record-kinds.ts";

/** Several values of one filter mean any of them; several filters mean all of them. */
export interface ShipmentFilters {
  readonly status?: FilterValue;
  /** UN/LOCODE of lading, discharge or destination. */
  readonly port?: FilterValue;
  /** SCAC. */
  readonly carrier?: FilterValue;
  readonly updatedAfter?: string | Date | undefined;
  readonly createdAfter?: string | Date | undefined;
  /** Actual or expected, where the journey ends. */
  readonly arrivalAfter?: string | Date | undefined;
  readonly arrivalBefore?: string | Date | undefined;
  readonly number?: FilterValue;
  readonly refNumber?: FilterValue;
  readonly tag?: FilterValue;
  readonly trackingStopped?: boolean | undefined;
}

export type ShipmentListParameters = PageParameters & { readonly filter?: ShipmentFilters | undefined };

export interface ShipmentEdit {
  readonly refNumbers?: readonly string[] | undefined;
  /** Unique. */
  readonly tags?: readonly string[] | undefined;
}

export function shipmentsResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string, rest = "") => `/shipments/${segment(id)}${rest}`;
  return {
    list<G extends Format = F>(parameters: ShipmentListParameters = {}, options?: ReadOptions<G>) {
      return reader.list(shipmentKind, "/shipments", filterQuery({ ...parameters.filter }), parameters, options);
    },
    /** Every shipment that matches, newest first. */
    iterate<G extends Format = F>(parameters: Omit<ShipmentListParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(shipmentKind, "/shipments", filterQuery({ ...parameters.filter }), parameters, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(shipmentKind, { method: "GET", path: path(id) }, options);
    },
    /** What is absent stays; an empty list clears (interface-specification.md, Edit a shipment). */
    update<G extends Format = F>(id: string, edit: ShipmentEdit, options?: WriteOptions<G>) {
      const attributes = { ref_numbers: edit.refNumbers, tags: edit.tags };
      const body = { data: { type: "shipment", id, attributes } };
      return reader.one(shipmentKind, { method: "PATCH", path: path(id), body, ifMatch: options?.ifMatch }, options);
    },
    /** Stops asking the shipping line, for every container of the shipment. */
    stopTracking<G extends Format = F>(id: string, options?: WriteOptions<G>) {
      return reader.one(shipmentKind, { method: "PATCH", path: path(id, "/stop_tracking") }, options);
    },
    resumeTracking<G extends Format = F>(id: string, options?: WriteOptions<G>) {
      return reader.one(shipmentKind, { method: "PATCH", path: path(id, "/resume_tracking") }, options);
    },
    /** Old and new value of every tracked attribute, latest change first. */
    history<G extends Format = F>(id: string, parameters: HistoryParameters = {}, options?: ReadOptions<G>) {
      return reader.list(
        fieldChangeKind,
        path(id, "/history"),
        filterQuery({ ...parameters.filter }),
        parameters,
        options,
      );
    },
    iterateHistory<G extends Format = F>(
      id: string,
      parameters: Omit<HistoryParameters, "page"> = {},
      options?: ReadOptions<G>,
    ) {
      const query = filterQuery({ ...parameters.filter });
      return reader.iterate(fieldChangeKind, path(id, "/history"), query, parameters, options);
    },
    /** Of every derived attribute its source, rule and stored reply; `asOf`: as it was known then. */
    provenance<G extends Format = F>(id: string, parameters: AsOfParameters = {}, options?: ReadOptions<G>) {
      return reader.list(provenanceKind, path(id, "/provenance"), asOfQuery(parameters), parameters, options);
    },
    /** Whether the shipping line answers and still tells news. */
    freshness<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(freshnessKind, { method: "GET", path: path(id, "/freshness") }, options);
    },
  };
}
