import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment } from "./reader.ts";
import { ediFileKind, listedEdiFileKind } from "./record-kinds.ts";

export interface EdiFileDescription {
  readonly name?: string | undefined;
  /** The profile with the partner's codes; `standard` by default. */
  readonly partner?: string | undefined;
  /** The carrier where a message names none. */
  readonly scac?: string | undefined;
}

export interface EdiFileFilters {
  /** `received`, `applied` or `rejected`. */
  readonly status?: FilterValue;
  /** `api`, `folder`, `sftp` or `mail`. */
  readonly source?: FilterValue;
  readonly partner?: FilterValue;
  /** Sender of the first interchange, exact. */
  readonly sender?: FilterValue;
  readonly hasFaults?: FilterValue;
}

export type EdiFileParameters = PageParameters & { readonly filter?: EdiFileFilters | undefined };

/** EDI files of partners (docs/edi.md). */
export function ediFilesResource<F extends Format>(reader: Reader<F>) {
  return {
    /**
     * Stored byte by byte, and read within seconds; a text is sent as UTF-8. The same bytes again return the first
     * file, which is applied again.
     */
    send<G extends Format = F>(
      file: string | Uint8Array,
      description: EdiFileDescription = {},
      options?: CreateOptions<G>,
    ) {
      const body = typeof file === "string" ? new TextEncoder().encode(file) : file;
      const request = {
        method: "POST",
        path: "/edi",
        query: { ...description },
        body,
        mediaType: "text/plain",
      } as const;
      return reader.one(ediFileKind, request, options);
    },
    /** Lists files with their counts; `get` returns the other attributes. */
    list<G extends Format = F>({ filter = {}, ...page }: EdiFileParameters = {}, options?: ReadOptions<G>) {
      return reader.list(listedEdiFileKind, "/edi_files", filterQuery({ ...filter }), page, options);
    },
    iterate<G extends Format = F>(
      { filter = {}, ...page }: Omit<EdiFileParameters, "page"> = {},
      options?: ReadOptions<G>,
    ) {
      return reader.iterate(listedEdiFileKind, "/edi_files", filterQuery({ ...filter }), page, options);
    },
    /** `applied` or `rejected` once it was read, with counts, faults and codes without a meaning. */
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(ediFileKind, { method: "GET", path: `/edi_files/${segment(id)}` }, options);
    },
    /** The bytes as they were received. */
    async content(id: string, options?: CallOptions): Promise<Uint8Array> {
      const request = { method: "GET", path: `/edi_files/${segment(id)}/content`, options } as const;
      const { body } = await reader.send({ ...request, streams: true });
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of body as AsyncIterable<Uint8Array<ArrayBuffer>>) chunks.push(chunk);
      return new Uint8Array(await new Blob(chunks).arrayBuffer());
    },
  };
}
