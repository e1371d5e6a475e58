import { type Format, type Formatted, formatted } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type MappedRecord, mapRecord } from "../mapped/mapped-record.ts";
import type { FormatOption, Reader } from "./reader.ts";

/** reference-contract.md 1.6. */
export interface SearchResult {
  readonly id: string;
  readonly type: "search_result";
  readonly attributes: {
    /** `cargo` is a container. */
    readonly entity_type: "shipment" | "cargo" | "tracking_request";
    readonly number: string;
    readonly shipment_id?: string | null;
    readonly scac?: string | null;
    readonly port_of_lading_name?: string | null;
    readonly port_of_discharge_name?: string | null;
    readonly containers_count?: number | null;
    readonly tracking_stopped?: boolean | null;
    readonly tracking_stopped_reason?: string | null;
    readonly status?: string | null;
    readonly failed_reason?: string | null;
    readonly ref_numbers: readonly string[];
    readonly created_at: string;
    readonly updated_at: string;
  };
}

export interface SearchDocument {
  readonly data: readonly SearchResult[];
}

/** Shipments, then containers, then tracking requests whose number or reference fits, at most 25. */
export function searchResource<F extends Format>(reader: Reader<F>) {
  return async <G extends Format = F>(
    text: string,
    options?: CallOptions & FormatOption<G>,
  ): Promise<Formatted<G, SearchDocument, readonly MappedRecord<SearchResult>[]>> => {
    const response = await reader.send({ method: "GET", path: "/search", query: { query: text }, options });
    const document = response.body as SearchDocument;
    return formatted((options?.format ?? reader.format) as G, document, () => document.data.map(mapRecord));
  };
}
