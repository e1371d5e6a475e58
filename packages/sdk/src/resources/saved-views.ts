import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import { writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { savedViewKind } from "./record-kinds.ts";

export interface SavedViewFilters {
  /** shipments, containers or exceptions. */
  readonly list?: FilterValue;
}

export type SavedViewParameters = PageParameters & { readonly filter?: SavedViewFilters | undefined };

export interface SavedViewEdit {
  readonly name?: string;
  /** All filters of the view, by their names in docs/saved-views.md. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Null: the order of the list. */
  readonly sort?: string | null;
  /** Empty: the usual ones. */
  readonly columns?: readonly string[];
  /** Whether every member sees it. */
  readonly shared?: boolean;
  /** Whether the list opens with it for the member of the token. */
  readonly isDefault?: boolean;
}

export interface NewSavedView extends SavedViewEdit {
  readonly list: "shipments" | "containers" | "exceptions";
  readonly name: string;
}

/** Lists with their filters, order and columns under a name. */
export function savedViewsResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string) => `/saved_views/${segment(id)}`;
  return {
    list<G extends Format = F>(parameters: SavedViewParameters = {}, options?: ReadOptions<G>) {
      return reader.list(savedViewKind, "/saved_views", filterQuery({ ...parameters.filter }), parameters, options);
    },
    iterate<G extends Format = F>(parameters: Omit<SavedViewParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(savedViewKind, "/saved_views", filterQuery({ ...parameters.filter }), parameters, options);
    },
    /** `records_url` is the request for its records at this moment. */
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(savedViewKind, { method: "GET", path: path(id) }, options);
    },
    create<G extends Format = F>(view: NewSavedView, options?: CreateOptions<G>) {
      const body = writeDocument("saved_view", undefined, view);
      return reader.one(savedViewKind, { method: "POST", path: "/saved_views", body }, options);
    },
    update<G extends Format = F>(id: string, edit: SavedViewEdit, options?: WriteOptions<G>) {
      const body = writeDocument("saved_view", id, edit);
      return reader.one(savedViewKind, { method: "PATCH", path: path(id), body }, options);
    },
    async delete(id: string, options?: CallOptions): Promise<void> {
      await reader.send({ method: "DELETE", path: path(id), options });
    },
  };
}
