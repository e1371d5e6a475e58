import type { Client } from "@svc/sdk";
import type { Column } from "../output/cells.ts";

/** A filter of a list: the client's name for it, and what a person reads in the help. */
export interface Filter {
  readonly name: string;
  /** `shipments` and `containers`: ids or numbers of them. */
  readonly kind: "text" | "time" | "flag" | "shipments" | "containers";
  readonly help: string;
}

interface ListParameters {
  readonly filter?: object;
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly sort?: string | undefined;
  /** Search text, for shipping lines only. */
  readonly search?: string | undefined;
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly format: "raw" | "mapped";
}

/** The part of the client that reads one kind of record. */
interface Records {
  list?(parameters: ListParameters, options: CallOptions): Promise<unknown>;
  iterate?(parameters: ListParameters, options: CallOptions): AsyncIterable<unknown>;
  get(id: string, options: CallOptions & { readonly asOf?: string | undefined }): Promise<unknown>;
}

interface UnfilteredRecords extends Omit<Records, "iterate"> {
  iterate(options: CallOptions): AsyncIterable<unknown>;
}

/** Records whose client iterates all of them, without parameters. */
export const withoutFilters = (records: UnfilteredRecords): Records => ({
  ...records,
  iterate: (_parameters, options) => records.iterate(options),
});

/** Records that are listed and read in the same way. */
export interface Collection {
  readonly name: string;
  readonly what: string;
  /** Placeholder of the argument of `get`, such as `id`. */
  readonly key: string;
  /** `get` can show one as it was known at a time. */
  readonly hasPast?: true;
  /** The list of saved views whose filters and order `list` can take. */
  readonly views?: "shipments" | "exceptions";
  readonly filters: readonly Filter[];
  readonly columns: readonly Column[];
  readonly of: (client: Client) => Records;
}

export const text = (name: string, help: string): Filter => ({ name, kind: "text", help });
export const time = (name: string, help: string): Filter => ({ name, kind: "time", help });
export const flag = (name: string, help: string): Filter => ({ name, kind: "flag", help });
