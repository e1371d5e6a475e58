import type { Format } from "../format.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment } from "./reader.ts";
import { eventImportKind } from "./record-kinds.ts";

/**
 * Events of a carrier without an API (docs/carriers.md, "Import events"): rows by the names of the columns, or a CSV
 * text.
 */
export type EventFile = { readonly rows: readonly Readonly<Record<string, string>>[] } | { readonly csv: string };

export function eventImportsResource<F extends Format>(reader: Reader<F>) {
  return {
    /**
     * Taken whole or not at all: a ValidationError names each row that is wrong. The same file again returns the first
     * import.
     */
    create<G extends Format = F>(file: EventFile, options?: CreateOptions<G>) {
      return reader.one(eventImportKind, { method: "POST", path: "/event_imports", body: file }, options);
    },
    /** `applied` once its events are part of what is tracked. */
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(eventImportKind, { method: "GET", path: `/event_imports/${segment(id)}` }, options);
    },
  };
}
