import type { Passage } from "@svc/domain/sea-routes";
import type { RouteMapDocument } from "@svc/jsonapi/containers";
import { type AsOf, type AsOfParameters, asOfQuery, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type DerivedRecordFilters, derivedRecordCalls } from "./derived-record.ts";
import { type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import {
  containerDemurrageKind,
  containerEmissionsKind,
  containerKind,
  rawEventKind,
  routeKind,
  transportEventKind,
} from "./record-kinds.ts";

export interface ContainerFilters extends DerivedRecordFilters {
  readonly pickupLfdBefore?: string | Date | undefined;
  readonly hasHolds?: boolean | undefined;
  readonly availableForPickup?: boolean | undefined;
}

export interface TransportEventFilters {
  /**
   * Types of events, of which any matches: milestones, changes of estimates, or changes of last free days and
   * appointments.
   */
  readonly kind?: readonly ("milestone" | "estimate" | "pickup_change")[] | undefined;
  /** Names of events, of which any matches, such as `container.transport.vessel_departed`. */
  readonly event?: readonly string[] | undefined;
}

export type ContainerListParameters = PageParameters & { readonly filter?: ContainerFilters | undefined };

export interface ContainerEdit {
  /** An empty list clears. */
  readonly refNumbers: readonly string[];
}

export function containersResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string, rest = "") => `/containers/${segment(id)}${rest}`;
  return {
    list<G extends Format = F>(parameters: ContainerListParameters = {}, options?: ReadOptions<G>) {
      return reader.list(containerKind, "/containers", filterQuery({ ...parameters.filter }), parameters, options);
    },
    /** Every container that matches, newest first. */
    iterate<G extends Format = F>(parameters: Omit<ContainerListParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(containerKind, "/containers", filterQuery({ ...parameters.filter }), parameters, options);
    },
    /** `asOf`: as it was known then, without the times that came later. */
    get<G extends Format = F>(id: string, options: ReadOptions<G> & AsOf = {}) {
      return reader.one(containerKind, { method: "GET", path: path(id), query: asOfQuery(options) }, options);
    },
    update<G extends Format = F>(id: string, edit: ContainerEdit, options?: WriteOptions<G>) {
      const body = { data: { type: "container", id, attributes: { ref_numbers: edit.refNumbers } } };
      return reader.one(containerKind, { method: "PATCH", path: path(id), body }, options);
    },
    /** Milestones and changes of estimates and deadlines, newest first; `asOf`: those that were valid then. */
    transportEvents<G extends Format = F>(
      id: string,
      parameters: AsOfParameters & TransportEventFilters = {},
      options?: ReadOptions<G>,
    ) {
      const { kind, event } = parameters;
      const query = { ...asOfQuery(parameters), ...filterQuery({ kind, event }) };
      return reader.list(transportEventKind, path(id, "/transport_events"), query, parameters, options);
    },
    iterateTransportEvents<G extends Format = F>(
      id: string,
      options?: ReadOptions<G>,
      { kind, event }: TransportEventFilters = {},
    ) {
      return reader.iterate(
        transportEventKind,
        path(id, "/transport_events"),
        filterQuery({ kind, event }),
        {},
        options,
      );
    },
    /** Planned, estimated and actual events as the sources sent them, in chronological order. */
    rawEvents<G extends Format = F>(id: string, parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(rawEventKind, path(id, "/raw_events"), {}, parameters, options);
    },
    iterateRawEvents<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.iterate(rawEventKind, path(id, "/raw_events"), {}, {}, options);
    },
    ...derivedRecordCalls(reader, path),
    /** Returns the present charges by the demurrage rules of the account, day by day. */
    demurrage<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(containerDemurrageKind, { method: "GET", path: path(id, "/demurrage") }, options);
    },
    /** Returns the emissions of each leg, by the emission factors of the account. */
    emissions<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(containerEmissionsKind, { method: "GET", path: path(id, "/emissions") }, options);
    },
    /** Place by place, planned and travelled. FeatureNotEnabledError where the account has no such feature. */
    route<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(routeKind, { method: "GET", path: path(id, "/route") }, options);
    },
    /** GeoJSON FeatureCollection of the journey. FeatureNotEnabledError where the account has no such feature. */
    async map(
      id: string,
      /**
       * `avoid`: canals and straits that no drawn way may lead through, for example `["suez"]`. `asOf`: the route as it
       * was known then.
       */
      parameters: { readonly avoid?: readonly Passage[] | undefined } & AsOf = {},
      options?: CallOptions,
    ): Promise<RouteMapDocument> {
      const query = { avoid: parameters.avoid?.join(","), ...asOfQuery(parameters) };
      return (await reader.send({ method: "GET", path: path(id, "/map_geojson"), query, options }))
        .body as RouteMapDocument;
    },
    /** Polls the sources of the container now. */
    async refresh(id: string, options?: CallOptions): Promise<{ readonly message: string }> {
      const response = await reader.send({ method: "PATCH", path: path(id, "/refresh"), options });
      return response.body as { message: string };
    },
  };
}
