import type { ResourceType } from "../resource-graph.ts";

/** A query parameter: its complete wire name and the function that reads its text. */
export interface Parameter<Value = unknown> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the text. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  /** Deprecated; the description gives the replacement. */
  readonly deprecated?: boolean;
  /** The value, or the error (completes "<name> …"). */
  readonly read: (text: string) => { readonly value: Value } | { readonly problem: string };
}

/** Type of a sort key: a time, a text, a number, a position in a feed, or an id in chronological order. */
export type SortKind = "instant" | "text" | "integer" | "position" | "uuid";

/** The allowed content of a route's query. */
export interface QueryDefinition {
  /** Type of the primary data, from which `fields` and `include` follow. Not set: the response has no resources. */
  readonly type?: ResourceType;
  /** The default of `include`. */
  readonly defaultInclude?: readonly string[];
  /** Relationships that can be included in addition to those of the resource graph. */
  readonly extraInclude?: readonly string[];
  /** Present: the response is a paginated list. The first sort key, descending, is the default. */
  readonly list?: {
    readonly sortKeys: Readonly<Record<string, SortKind>>;
    /** Default page size; may exceed the maximum of `page[size]`. */
    readonly defaultSize?: number;
    /** Ascending by default. */
    readonly oldestFirst?: boolean;
  };
  /** The response is a complete list unless the request has a page number or size. */
  readonly wholeList?: true;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** Complete names of parameters of the reference contract that are accepted and ignored. */
  readonly ignored?: readonly string[];
}

type ValueOf<P> = P extends Parameter<infer Value> ? Value : never;

export type ParameterValues<Definition extends QueryDefinition> = {
  readonly [Key in keyof NonNullable<Definition["parameters"]>]?: ValueOf<NonNullable<Definition["parameters"]>[Key]>;
};

export type SortKeyOf<Definition extends QueryDefinition> = Definition extends {
  readonly list: { readonly sortKeys: Readonly<Record<infer Key extends string, SortKind>> };
}
  ? Key
  : never;

export const pageSizeMax = 100;
export const defaultPageSize = 30;
/** Maximum number of rows that a page number may skip, because the cost of skipping is proportional. */
export const offsetMax = 1_000_000;
/** Rows after which the links of numbered pages also have a cursor, so that the cost of a page is constant. */
export const cheapOffsetMax = 10_000;
