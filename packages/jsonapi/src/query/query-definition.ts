import type { ResourceType } from "../resource-graph.ts";

/** One query parameter: its whole name on the wire and how its text is read. */
export interface Parameter<Value = unknown> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the text. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  /** Only for clients that know no better name; the description says which one is. */
  readonly deprecated?: boolean;
  /** The value, or what is wrong with it (completes "<name> …"). */
  readonly read: (text: string) => { readonly value: Value } | { readonly problem: string };
}

/** What the rows of a list are sorted by: a time, a text, a number, a place in a feed, or an id that stands for the time. */
export type SortKind = "instant" | "text" | "integer" | "position" | "uuid";

/** Everything that a route's query may hold. */
export interface QueryDefinition {
  /** The type of the primary data; `fields` and `include` follow from it. Absent: the answer holds no resources. */
  readonly type?: ResourceType;
  /** Included when the request names nothing to include. */
  readonly defaultInclude?: readonly string[];
  /** Relationships that are included beside those of the resource graph. */
  readonly extraInclude?: readonly string[];
  /** Present: the answer is a list in pages. The first sort key, newest first, is the default. */
  readonly list?: {
    readonly sortKeys: Readonly<Record<string, SortKind>>;
    /** Rows of a page that names no size; may exceed the maximum that a request can name. */
    readonly defaultSize?: number;
    /** The oldest comes first by default. */
    readonly oldestFirst?: boolean;
  };
  /** The answer is a list that comes whole, unless the request asks for a page of it by number or size. */
  readonly wholeList?: true;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** Whole names of parameters that clients of the reference contract send and that change nothing. */
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

export const maxPageSize = 100;
export const defaultPageSize = 30;
/** Rows that a page number alone may skip: reading past them costs time in proportion. */
export const maxOffset = 1_000_000;
/** Rows after which the links of numbered pages carry a cursor beside the number, so that the cost of a page stays flat. */
export const maxCheapOffset = 10_000;
