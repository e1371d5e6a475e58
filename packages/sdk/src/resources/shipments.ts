import { type AsOf, asOfQuery, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import { type DerivedRecordFilters, derivedRecordCalls } from "./derived-record.ts";
import { type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { freshnessKind, shipmentKind, trackingSummaryKind } from "./record-kinds.ts";

export interface ShipmentFilters extends DerivedRecordFilters {
  /** Actual or expected, where the journey ends. */
  readonly arrivalAfter?: string | Date | undefined;
  readonly arrivalBefore?: string | Date | undefined;
}

export type ShipmentListParameters = PageParameters & { readonly filter?: ShipmentFilters | undefined };

export interface ShipmentEdit {
  readonly refNumbers?: readonly string[] | undefined;
  /** Unique. */
  readonly tags?: readonly string[] | undefined;
  /** Note of at most 2,000 characters; null removes it. */
  readonly note?: string | null | undefined;
  /** The id of a party; null removes it. */
  readonly customerId?: string | null | undefined;
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
    /** `asOf`: as it was known then, without the times that came later. */
    get<G extends Format = F>(id: string, options: ReadOptions<G> & AsOf = {}) {
      return reader.one(shipmentKind, { method: "GET", path: path(id), query: asOfQuery(options) }, options);
    },
    /**
     * Edits a shipment. An absent member is not changed; an empty list clears (docs/contract/specification.md, Edit a
     * shipment).
     */
    update<G extends Format = F>(id: string, edit: ShipmentEdit, options?: WriteOptions<G>) {
      const attributes = { ref_numbers: edit.refNumbers, tags: edit.tags, note: edit.note };
      const { customerId } = edit;
      const customer = { data: customerId === null ? null : { type: "party", id: customerId } };
      const relationships = customerId === undefined ? undefined : { customer };
      const body = { data: { type: "shipment", id, attributes, relationships } };
      return reader.one(shipmentKind, { method: "PATCH", path: path(id), body }, options);
    },
    /** Stops tracking every container of the shipment. */
    stopTracking<G extends Format = F>(id: string, options?: WriteOptions<G>) {
      return reader.one(shipmentKind, { method: "PATCH", path: path(id, "/stop_tracking") }, options);
    },
    resumeTracking<G extends Format = F>(id: string, options?: WriteOptions<G>) {
      return reader.one(shipmentKind, { method: "PATCH", path: path(id, "/resume_tracking") }, options);
    },
    ...derivedRecordCalls(reader, path),
    /**
     * Returns the content of a tracking page in one request; the related records are in `included` of the raw response.
     * `containerId`: whose journey; default: the first by number. `asOf`: as known at that time.
     */
    trackingSummary<G extends Format = F>(
      id: string,
      { containerId, asOf }: { readonly containerId?: string | undefined } & AsOf = {},
      options?: ReadOptions<G>,
    ) {
      const query = { container_id: containerId, ...asOfQuery({ asOf }) };
      return reader.one(trackingSummaryKind, { method: "GET", path: path(id, "/tracking_summary"), query }, options);
    },
    /** Data freshness: last successful poll, next poll, and whether the data is late or stale. */
    freshness<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(freshnessKind, { method: "GET", path: path(id, "/freshness") }, options);
    },
  };
}
