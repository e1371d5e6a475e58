import type { Page, PageRow } from "@svc/domain/lists";
import type { AnyResource } from "@svc/jsonapi";
import {
  completeListLinks,
  documentSelfLink,
  linkHeader,
  pageLinks,
  type ResourceDocument,
  requestsPage,
  resourceDocument,
} from "@svc/jsonapi/documents";
import { cursorProfile } from "@svc/jsonapi/http";
import type { Query } from "@svc/jsonapi/query";
import { includedInListMax, loadIncluded } from "../includes/load-included.ts";
import type { Services } from "../services.ts";
import type { Caller } from "./authenticator.ts";
import type { Reply } from "./define-route.ts";

interface ReadContext {
  readonly services: Services;
  readonly caller: Caller;
  readonly query: Query;
}

/**
 * The document of one resource with the fields and related resources that the query names; `more` is included as well.
 * `url`: the address that returns this document, where it is not the resource's own.
 */
export async function recordDocument(
  { services, caller, query }: ReadContext,
  resource: AnyResource,
  { more = [], url = resource.links?.self }: { readonly more?: readonly AnyResource[]; readonly url?: string } = {},
): Promise<ResourceDocument> {
  const [primary, included] = await loadIncluded(services, caller, [resource], query.include, { fields: query.fields });
  const members = url === undefined ? {} : { links: documentSelfLink(url, query.pairs) };
  return resourceDocument(primary[0] ?? resource, included && [...included, ...more], query.fields, members);
}

/** The wire form of a record, at the API's base address. */
export type ResourceMapper<Item> = (
  item: Item,
  baseUrl: string,
) => AnyResource & { readonly links: { readonly self: string } };

/** The reply that shows one record, with the version that a later write can be tied to. */
export async function recordReply<Item extends { readonly rowVersion: number }>(
  context: ReadContext,
  record: Item,
  toResource: ResourceMapper<Item>,
): Promise<Reply> {
  const document = await recordDocument(context, toResource(record, context.services.settings.baseUrl));
  return { status: 200, document, version: record.rowVersion };
}

/** The reply that shows a created record, with its address in `Location`. */
export async function createdReply<Item extends { readonly rowVersion: number }>(
  context: ReadContext,
  record: Item,
  toResource: ResourceMapper<Item>,
): Promise<Reply> {
  const { self } = toResource(record, context.services.settings.baseUrl).links;
  return { ...(await recordReply(context, record, toResource)), status: 201, headers: { Location: self } };
}

/** Whether the page is requested by cursor; its response then names the profile of cursor pagination. */
export const isByCursor = ({ page }: Query): boolean => page.position.kind !== "number";

/** The value of each sort key of an item, as the database compares it. */
export type SortValues<Item> = Readonly<Record<string, (item: Item) => string>>;

/** The reply of a list: one page with links to the others. */
export async function listReply<Item extends { readonly id: string }>(
  context: ReadContext,
  options: {
    /** Path below the base URL. */
    readonly path: string;
    readonly page: Page<Item>;
    readonly resource: (item: Item, baseUrl: string) => AnyResource;
    readonly sortValues: SortValues<Item>;
    /** Included beside what the query's paths lead to. */
    readonly more?: readonly AnyResource[];
    /** Members of `meta` in addition to those that describe the page. */
    readonly meta?: object;
  },
): Promise<Reply> {
  const { services, caller, query } = context;
  const { baseUrl } = services.settings;
  const sortValue = options.sortValues[query.page.sortBy];
  if (!sortValue) throw new RangeError(`No value is known for the sort key ${query.page.sortBy}.`);
  const rowOf = (item: Item): PageRow => ({ value: sortValue(item), id: item.id });
  const resources = options.page.items.map((item) => options.resource(item, baseUrl));
  const [primary, included] = await loadIncluded(services, caller, resources, query.include, {
    resourcesMax: includedInListMax,
    fields: query.fields,
  });
  const links = pageLinks({
    url: `${baseUrl}${options.path}`,
    pairs: query.pairs,
    request: query.page,
    page: options.page,
    rowOf,
  });
  const all = included && [...included, ...(options.more ?? [])];
  const members = { ...links, meta: { ...links.meta, ...options.meta } };
  const document = resourceDocument(primary, all, query.fields, members);
  const header = linkHeader(links.links);
  return {
    status: 200,
    document: isByCursor(query) ? { jsonapi: { version: "1.1", profile: [cursorProfile] }, ...document } : document,
    ...(header !== null && { headers: { Link: header } }),
  };
}

/** The reply of a list that is known whole: all of it, or the page that the request asks for. */
export function completeListReply(
  { services, query }: Pick<ReadContext, "services" | "query">,
  /** Path below the base URL. */
  path: string,
  resources: readonly AnyResource[],
  /** More members of `meta`. */
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  const url = `${services.settings.baseUrl}${path}`;
  const { pairs, fields, page: request } = query;
  if (!requestsPage(pairs)) {
    const links = completeListLinks(url, pairs);
    const { length } = resources;
    const page = { total: length, total_is_exact: true, size: length, end_cursor: null };
    const meta = { total: length, size: length, page, ...more };
    return { status: 200, document: resourceDocument(resources, null, fields, { links, meta }) };
  }
  const { size, position } = request;
  const end = size * (position.kind === "number" ? position.number : 1);
  const items = resources.slice(end - size, end);
  const page = { items, total: resources.length, totalIsExact: true, hasMore: end < resources.length };
  const links = pageLinks({ url, pairs, request, page, rowOf: null });
  const header = linkHeader(links.links);
  return {
    status: 200,
    document: resourceDocument(items, null, fields, links),
    ...(header !== null && { headers: { Link: header } }),
  };
}
