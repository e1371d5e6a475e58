import type { ListDocument, MappedList, SingleDocument } from "../documents/document.ts";
import { type Included, indexIncluded } from "../documents/included.ts";
import {
  type CursorParameters,
  type Include,
  includeQuery,
  type PageParameters,
  pageQuery,
} from "../documents/query.ts";
import { UsageError } from "../errors.ts";
import { type Format, type Formatted, formatted } from "../format.ts";
import type { ApiRequest, ApiResponse, CallOptions, QueryValue, Transport } from "../http/transport.ts";

/** How one kind of record is read. */
export interface RecordKind<Resource, Mapped> {
  /** Included when a mapped response is requested without `include`. */
  readonly include: readonly string[];
  readonly map: (resource: Resource, included: Included) => Mapped;
}

export interface FormatOption<F extends Format> {
  readonly format?: F | undefined;
}

export type ReadOptions<F extends Format> = CallOptions & FormatOption<F> & { readonly include?: Include };

export type WriteOptions<F extends Format> = CallOptions &
  FormatOption<F> & {
    /** ETag of the version that was read; refused with PreconditionFailedError when the record changed since. */
    readonly ifMatch?: string | undefined;
  };

export type CreateOptions<F extends Format> = CallOptions &
  FormatOption<F> & {
    /**
     * Key of the write. Default: one of the client's own. Supply one to make a repetition by your program safe, too.
     */
    readonly idempotencyKey?: string | undefined;
  };

type OneOptions<F extends Format> = ReadOptions<F> & WriteOptions<F> & CreateOptions<F>;

/** Sends requests and shapes their responses; every resource of the client is written over this. */
export interface Reader<F extends Format> {
  send(request: ApiRequest): Promise<ApiResponse>;
  one<Resource, Mapped, G extends Format>(
    kind: RecordKind<Resource, Mapped>,
    request: Omit<ApiRequest, "idempotencyKey" | "ifMatch" | "options">,
    options: OneOptions<G> | undefined,
  ): Promise<Formatted<G, SingleDocument<Resource>, Mapped>>;
  list<Resource, Mapped, G extends Format>(
    kind: RecordKind<Resource, Mapped>,
    path: string,
    query: Readonly<Record<string, QueryValue>>,
    page: CursorParameters,
    options: ReadOptions<G> | undefined,
  ): Promise<Formatted<G, ListDocument<Resource>, MappedList<Mapped>>>;
  /** All records that match, page after page, as the loop asks for them. */
  iterate<Resource, Mapped, G extends Format>(
    kind: RecordKind<Resource, Mapped>,
    path: string,
    query: Readonly<Record<string, QueryValue>>,
    page: Omit<PageParameters, "page">,
    options: ReadOptions<G> | undefined,
  ): AsyncGenerator<Formatted<G, Resource, Mapped>, void, undefined>;
  readonly format: F;
}

/** Returns the query of a link. The client may reach the API at another address than that in the link. */
function parseLinkQuery(link: string): Record<string, QueryValue> {
  const start = link.indexOf("?");
  return start < 0 ? {} : Object.fromEntries(new URLSearchParams(link.slice(start + 1)));
}

export function createReader<F extends Format>(transport: Transport, clientFormat: F): Reader<F> {
  const toIncludeQuery = (kind: { include: readonly string[] }, format: Format, include: Include) =>
    includeQuery(include ?? (format === "raw" || kind.include.length === 0 ? undefined : kind.include));

  return {
    format: clientFormat,
    send: transport,

    async one<Resource, Mapped, G extends Format>(
      kind: RecordKind<Resource, Mapped>,
      request: Omit<ApiRequest, "idempotencyKey" | "ifMatch" | "options">,
      options: OneOptions<G> | undefined,
    ) {
      const format = (options?.format ?? clientFormat) as G;
      const query = { ...request.query, ...toIncludeQuery(kind, format, options?.include) };
      const { idempotencyKey, ifMatch } = options ?? {};
      const fullRequest = { ...request, query, idempotencyKey, ifMatch, options };
      const document = (await transport(fullRequest)).body as SingleDocument<Resource>;
      return formatted(format, document, () => kind.map(document.data, indexIncluded(document.included)));
    },

    async list<Resource, Mapped, G extends Format>(
      kind: RecordKind<Resource, Mapped>,
      path: string,
      query: Readonly<Record<string, QueryValue>>,
      page: CursorParameters,
      options: ReadOptions<G> | undefined,
    ) {
      const format = (options?.format ?? clientFormat) as G;
      const all = { ...query, ...pageQuery(page), ...toIncludeQuery(kind, format, options?.include) };
      const document = (await transport({ method: "GET", path, query: all, options })).body as ListDocument<Resource>;
      return formatted(format, document, () => {
        const included = indexIncluded(document.included);
        return {
          items: document.data.map((resource) => kind.map(resource, included)),
          links: document.links ?? {},
          meta: document.meta ?? {},
        };
      });
    },

    async *iterate<Resource, Mapped, G extends Format>(
      kind: RecordKind<Resource, Mapped>,
      path: string,
      query: Readonly<Record<string, QueryValue>>,
      page: Omit<PageParameters, "page">,
      options: ReadOptions<G> | undefined,
    ) {
      const format = (options?.format ?? clientFormat) as G;
      let next: Record<string, QueryValue> = {
        ...query,
        ...pageQuery({ pageSize: 100, ...page }),
        ...toIncludeQuery(kind, format, options?.include),
      };
      for (;;) {
        const document = (await transport({ method: "GET", path, query: next, options }))
          .body as ListDocument<Resource>;
        const included = indexIncluded(document.included);
        for (const resource of document.data) yield formatted(format, resource, () => kind.map(resource, included));
        const link = document.links?.next;
        if (link === undefined || document.data.length === 0) return;
        next = parseLinkQuery(link);
      }
    },
  };
}

/** One segment of a path: an id from outside must not reach another route. */
export function segment(text: string): string {
  if (text === "" || text === "." || text === "..") throw new UsageError(`Not an id: ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}
