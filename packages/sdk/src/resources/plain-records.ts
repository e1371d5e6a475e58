import type { PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type Reader, type ReadOptions, type RecordKind, segment } from "./reader.ts";

/** Lists, reads and deletes records of a kind without filters. */
export function plainRecordCalls<F extends Format, Resource, Mapped>(
  reader: Reader<F>,
  kind: RecordKind<Resource, Mapped>,
  collection: string,
) {
  const path = (id: string) => `${collection}/${segment(id)}`;
  return {
    list<G extends Format = F>(parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(kind, collection, {}, parameters, options);
    },
    iterate<G extends Format = F>(options?: ReadOptions<G>) {
      return reader.iterate(kind, collection, {}, {}, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(kind, { method: "GET", path: path(id) }, options);
    },
    async delete(id: string, options?: CallOptions): Promise<void> {
      await reader.send({ method: "DELETE", path: path(id), options });
    },
  };
}
