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
    /** By id or SCAC. */
    get: lookup(reader, shippingLineKind, "/shipping_lines"),
  };
}

export function portsResource<F extends Format>(reader: Reader<F>) {
  /** By id or UN/LOCODE. */
  return { get: lookup(reader, portKind, "/ports") };
}

export function metroAreasResource<F extends Format>(reader: Reader<F>) {
  /** By id or UN/LOCODE. */
  return { get: lookup(reader, metroAreaKind, "/metro_areas") };
}

export function terminalsResource<F extends Format>(reader: Reader<F>) {
  return { get: lookup(reader, terminalKind, "/terminals") };
}

export function vesselsResource<F extends Format>(reader: Reader<F>) {
  /** By id or IMO number. */
  return { get: lookup(reader, vesselKind, "/vessels") };
}
