import type { Format } from "../format.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment } from "./reader.ts";
import { ediFileKind } from "./record-kinds.ts";

/** An EDI file of a partner (docs/edi.md). */
export interface EdiFileContent {
  readonly content: string;
  readonly name?: string;
  /** The profile with the partner's codes; `standard` by default. */
  readonly partner?: string;
  /** The carrier where a message names none. */
  readonly scac?: string;
}

export function ediFilesResource<F extends Format>(reader: Reader<F>) {
  return {
    /** Stored, and read within seconds. The same content again answers the first file, which is applied again. */
    create<G extends Format = F>(file: EdiFileContent, options?: CreateOptions<G>) {
      const { idempotencyKey } = options ?? {};
      const request = { method: "POST", path: "/edi_files", body: file, idempotencyKey } as const;
      return reader.one(ediFileKind, request, options);
    },
    /** `applied` or `rejected` once it was read, with counts, faults and codes without a meaning. */
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(ediFileKind, { method: "GET", path: `/edi_files/${segment(id)}` }, options);
    },
  };
}
