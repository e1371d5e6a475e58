import type { AnyResource } from "@svc/jsonapi";

/** One record, as the API returns it. */
export interface SingleDocument<Resource> {
  readonly data: Resource;
  readonly included?: readonly AnyResource[];
  readonly links?: { readonly self?: string };
  /** Time of the returned state, only in a response to `asOf`. */
  readonly meta?: { readonly as_of?: string };
}

export interface PageLinks {
  readonly self?: string;
  /** Alias of `self`. */
  readonly current?: string;
  /** A link that leads nowhere is absent. */
  readonly first?: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}

export interface PageMeta {
  /** Alias of `page.total`, as `size` is of `page.size`. */
  readonly total?: number;
  readonly size?: number;
  readonly page?: {
    /** All records that match; exact unless `total_is_exact` is false. */
    readonly total?: number;
    readonly total_is_exact?: boolean;
    readonly number?: number;
    readonly size?: number;
    /** Cursor for page[after], to read later additions; null when the page is empty. */
    readonly end_cursor?: string | null;
  };
  /** Present only with `filter[search]` of overviews or exceptions. */
  readonly search?: {
    /** False when more records match than are searched by the other filters. */
    readonly is_complete: boolean;
    /** First container by number that matches, for each shipment of the page. Only in shipment overviews. */
    readonly containers: readonly { readonly shipment_id: string; readonly id: string; readonly number: string }[];
  };
}

/** One page of records, as the API returns it. */
export interface ListDocument<Resource> {
  readonly data: readonly Resource[];
  readonly included?: readonly AnyResource[];
  readonly links?: PageLinks;
  readonly meta?: PageMeta;
}

/** One page of mapped records. */
export interface MappedList<Mapped> {
  readonly items: readonly Mapped[];
  readonly links: PageLinks;
  readonly meta: PageMeta;
}
