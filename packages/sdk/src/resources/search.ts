import type { SearchResultResource } from "@svc/jsonapi/search";
import { type Format, type Formatted, formatted } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type MappedRecord, mapRecord } from "../mapped/camelize.ts";
import type { FormatOption, Reader } from "./reader.ts";

export interface SearchDocument {
  readonly data: readonly SearchResultResource[];
}

/** Shipments, then containers, then tracking requests whose number or reference fits, at most 25. */
export function searchResource<F extends Format>(reader: Reader<F>) {
  return async <G extends Format = F>(
    text: string,
    options?: CallOptions & FormatOption<G>,
  ): Promise<Formatted<G, SearchDocument, readonly MappedRecord<SearchResultResource>[]>> => {
    const response = await reader.send({ method: "GET", path: "/search", query: { query: text }, options });
    const document = response.body as SearchDocument;
    return formatted((options?.format ?? reader.format) as G, document, () =>
      document.data.map((result) => mapRecord(result)),
    );
  };
}
