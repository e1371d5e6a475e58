/** The requested part of a list. */
export interface PageRequest<SortKey extends string = string> {
  /** Maximum number of rows. */
  readonly size: number;
  readonly sortBy: SortKey;
  readonly descending: boolean;
  readonly position: PagePosition;
}

export type PagePosition =
  /**
   * `from`: the start of the page, known from the adjacent page. Without it the preceding rows are skipped by counting.
   */
  | {
      readonly kind: "number";
      readonly number: number;
      readonly from?: { readonly kind: "after" | "before"; readonly row: PageRow };
    }
  | { readonly kind: "after" | "before"; readonly row: PageRow };

/** A position between two rows: the sort value of a row, and its id to break ties. */
export interface PageRow {
  readonly value: string;
  readonly id: string;
}

/** One page, in the requested order. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Rows of the whole list, counted up to `countedMax`. */
  readonly total: number;
  readonly totalIsExact: boolean;
  /** More rows follow in the direction of reading. */
  readonly hasMore: boolean;
}

/** Counting all rows of a long list would cost more than reading the page. */
export const countedMax = 10_000;
