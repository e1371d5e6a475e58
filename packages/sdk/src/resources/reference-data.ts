import type { Format } from "../format.ts";
import type { QueryValue } from "../http/transport.ts";
import { type Reader, type ReadOptions, type RecordKind, segment } from "./reader.ts";
import { metroAreaKind, portKind, shippingLineKind, terminalKind, vesselKind } from "./record-kinds.ts";

function lookup<F extends Format, Resource, Mapped>(
  reader: Reader<F>,
  kind: RecordKind<Resource, Mapped>,
  path: string,
) {
  return <G extends Format = F>(id: string, options?: ReadOptions<G>) =>
    reader.one(kind, { method: "GET", path: `${path}/${segment(id)}` }, options);
}

export function shippingLinesResource<F extends Format>(reader: Reader<F>) {
  return {
    /** All lines that can be tracked, or those whose SCAC or name matches `search`. */
    list<G extends Format = F>(parameters: { readonly search?: string | undefined } = {}, options?: ReadOptions<G>) {
      const query: Record<string, QueryValue> = { search: parameters.search };
      return reader.list(shippingLineKind, "/shipping_lines", query, {}, options);
    },
    /** Finds a shipping line by id or SCAC. */
    get: lookup(reader, shippingLineKind, "/shipping_lines"),
  };
}

export function portsResource<F extends Format>(reader: Reader<F>) {
  return {
    /** The directory of the service, or the ports nearest to a UN/LOCODE, name or city, also a misspelled one. */
    list<G extends Format = F>(parameters: { readonly search?: string | undefined } = {}, options?: ReadOptions<G>) {
      return reader.list(portKind, "/ports", { search: parameters.search }, {}, options);
    },
    /** Finds a port by id or UN/LOCODE. */
    get: lookup(reader, portKind, "/ports"),
  };
}

export function metroAreasResource<F extends Format>(reader: Reader<F>) {
  return {
    /** The directory of inland places, or those nearest to a UN/LOCODE, name or city, also a misspelled one. */
    list<G extends Format = F>(parameters: { readonly search?: string | undefined } = {}, options?: ReadOptions<G>) {
      return reader.list(metroAreaKind, "/metro_areas", { search: parameters.search }, {}, options);
    },
    /** Finds a metro area by id or UN/LOCODE. */
    get: lookup(reader, metroAreaKind, "/metro_areas"),
  };
}

export function terminalsResource<F extends Format>(reader: Reader<F>) {
  return { get: lookup(reader, terminalKind, "/terminals") };
}

/** Ports between which a vessel sails: ids or UN/LOCODEs. */
export interface VesselLeg {
  readonly portId: string;
  readonly previousPortId: string;
}

/** Ports between which a vessel sails, and its present position in degrees. */
export interface VesselLegFrom extends VesselLeg {
  readonly latitude: number;
  readonly longitude: number;
}

export function vesselsResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string, rest: string) => `/vessels/${segment(id)}${rest}`;
  const toQuery = ({ portId, previousPortId }: VesselLeg) => ({ port_id: portId, previous_port_id: previousPortId });
  return {
    /** Finds a vessel by id or IMO number. */
    get: lookup(reader, vesselKind, "/vessels"),
    /**
     * The vessel with `positions`: where it is expected, minute by minute, until it is at the port; seven days at most.
     * FeatureNotEnabledError where the account has no such feature.
     */
    futurePositions<G extends Format = F>(id: string, leg: VesselLeg, options?: ReadOptions<G>) {
      const request = { method: "GET", path: path(id, "/future_positions"), query: toQuery(leg) } as const;
      return reader.one(vesselKind, request, options);
    },
    /** The vessel with `positions` that start at the given coordinates. */
    futurePositionsWithCoordinates<G extends Format = F>(id: string, leg: VesselLegFrom, options?: ReadOptions<G>) {
      const { latitude, longitude } = leg;
      const query = { ...toQuery(leg), latitude, longitude };
      return reader.one(
        vesselKind,
        { method: "GET", path: path(id, "/future_positions_with_coordinates"), query },
        options,
      );
    },
  };
}
