import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { partyKind } from "./record-kinds.ts";

export interface PartyFilters {
  /** Ignoring case. */
  readonly companyName?: FilterValue;
}

export type PartyParameters = PageParameters & { readonly filter?: PartyFilters | undefined };

export function partiesResource<F extends Format>(reader: Reader<F>) {
  return {
    list<G extends Format = F>(parameters: PartyParameters = {}, options?: ReadOptions<G>) {
      return reader.list(partyKind, "/parties", filterQuery({ ...parameters.filter }), parameters, options);
    },
    iterate<G extends Format = F>(parameters: Omit<PartyParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(partyKind, "/parties", filterQuery({ ...parameters.filter }), parameters, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(partyKind, { method: "GET", path: `/parties/${segment(id)}` }, options);
    },
    create<G extends Format = F>(party: { readonly companyName: string }, options?: CreateOptions<G>) {
      const body = { data: { type: "party", attributes: { company_name: party.companyName } } };
      return reader.one(partyKind, { method: "POST", path: "/parties", body }, options);
    },
    update<G extends Format = F>(id: string, edit: { readonly companyName: string }, options?: WriteOptions<G>) {
      const body = { data: { type: "party", id, attributes: { company_name: edit.companyName } } };
      return reader.one(partyKind, { method: "PATCH", path: `/parties/${segment(id)}`, body }, options);
    },
  };
}
