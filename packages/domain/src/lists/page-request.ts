/** Which part of a list is wanted. */
export interface PageRequest<SortKey extends string = string> {
  /** Rows at most. */
  readonly size: number;
  readonly sortBy: SortKey;
  readonly descending: boolean;
  readonly position: PagePosition;
}

export type PagePosition =
  /** `from`: where the page begins, known from the page beside it; without it the rows before are counted off. */
  | {
      readonly kind: "number";
      readonly number: number;
      readonly from?: { readonly kind: "after" | "before"; readonly row: PageRow };
    }
  | { readonly kind: "after" | "before"; readonly row: PageRow };

/** A place between two rows: the sorted value of one, and its id where values are equal. */
export interface PageRow {
  readonly value: string;
  readonly id: string;
}

/** One page, in the wanted order. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Of the whole list, counted up to `countedAtMost`. */
  readonly total: number;
  readonly totalIsExact: boolean;
  /** Rows follow this page in the direction in which it was read. */
  readonly hasMore: boolean;
}

/** Counting a long list costs more than reading a page of it. */
export const countedAtMost = 10_000;
