import { includable, type ResourceType } from "@svc/jsonapi";
import { offsetMax, pageSizeMax, type QueryDefinition } from "@svc/jsonapi/query";
import type { Route } from "../http/define-route.ts";
import { includedInListMax } from "../includes/load-included.ts";

/** An OpenAPI parameter, or a reference to one. */
export type ParameterObject = Readonly<Record<string, unknown>>;

const reference = (name: string): ParameterObject => ({ $ref: `#/components/parameters/${name}` });

const csv = { style: "form", explode: false } as const;

/** Parameters that many operations share. */
export function sharedParameters(types: readonly ResourceType[]): Record<string, ParameterObject> {
  const page = (name: string, description: string, schema: object): ParameterObject => ({
    name,
    in: "query",
    description,
    schema,
  });
  const pageSize = `Rows of a page. Default 30 unless the operation says otherwise; a larger value than ${pageSizeMax} is cut to it.`;
  const count = { type: "integer", minimum: 1 };
  return {
    PageNumber: page(
      "page[number]",
      `Number of the page, from 1. Skips up to ${offsetMax} rows; to read further, follow links.next.`,
      count,
    ),
    PageSize: page("page[size]", pageSize, count),
    Page: page("page", "Short form of page[number].", count),
    PageSizeShort: page("page_size", `Short form of page[size]. ${pageSize}`, count),
    PageAfter: page(
      "page[after]",
      "Cursor, as in links.next: returns the page after it. The cost is the same at any depth.",
      { type: "string" },
    ),
    PageBefore: page("page[before]", "Cursor, as in links.prev: returns the page before it.", { type: "string" }),
    IdempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      description: "Makes retries safe: for 24 hours a request with the same key and body returns the stored response.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    },
    IfMatch: {
      name: "If-Match",
      in: "header",
      description: "ETag of the version that was read. If the record has changed since, the write is refused with 412.",
      schema: { type: "string" },
    },
    IfNoneMatch: {
      name: "If-None-Match",
      in: "header",
      description:
        "ETag of a response that the client holds. If it is still current, the response is 304 and counts as a fraction of a request (one tenth unless configured) against the rate limit.",
      schema: { type: "string" },
    },
    ...Object.fromEntries(
      types.map((type) => [
        `Fields_${type}`,
        {
          name: `fields[${type}]`,
          in: "query",
          description: `Attributes and relationships of each ${type} to return, separated by commas. Default: all.`,
          ...csv,
          schema: { type: "array", items: { type: "string" } },
        },
      ]),
    ),
  };
}

/** Types that a document can hold when its primary data is of this one. */
function reachableTypes(type: ResourceType): readonly ResourceType[] {
  const found = new Set<ResourceType>([type]);
  for (const one of found) {
    for (const next of Object.values(includable[one]).flat()) found.add(next);
  }
  return [...found];
}

function includeParameter({
  type,
  list,
  extraInclude = [],
  defaultInclude: byDefault,
}: QueryDefinition): ParameterObject | null {
  const direct = [...(type ? Object.keys(includable[type]) : []), ...extraInclude];
  if (direct.length === 0) return null;
  const limit = list ? ` A list that would include more than ${includedInListMax} resources is refused with 400.` : "";
  const without = byDefault ? ` Default: ${byDefault.join(", ")}.` : "";
  return {
    name: "include",
    in: "query",
    description: `Related resources to include: ${direct.join(", ")}; dotted paths reach further.${limit}${without}`,
    ...csv,
    schema: { type: "array", items: { type: "string" } },
  };
}

export function operationParameters(route: Route): ParameterObject[] {
  const { params = {}, query = {}, conditional } = route.request;
  const parameters: ParameterObject[] = Object.entries(params).map(([name, { kind, description }]) => ({
    name,
    in: "path",
    required: true,
    description,
    schema: kind === "uuid" ? { type: "string", format: "uuid" } : { type: "string" },
  }));
  for (const { name, description, schema, required, deprecated } of Object.values(query.parameters ?? {})) {
    const isList = schema.type === "array";
    const marks = { ...(required && { required }), ...(deprecated && { deprecated }), ...(isList && csv) };
    parameters.push({ name, in: "query", description, ...marks, schema });
  }
  for (const name of query.ignored ?? []) {
    const description = "Accepted for clients of the reference contract. Has no effect.";
    parameters.push({ name, in: "query", description, deprecated: true, schema: { type: "string" } });
  }
  if (query.list) {
    const keys = Object.keys(query.list.sortKeys);
    const first = `${query.list.oldestFirst ? "" : "-"}${keys[0]}`;
    const values = keys.flatMap((key) => [key, `-${key}`]);
    const schema = { type: "string", enum: values, default: first };
    parameters.push({
      name: "sort",
      in: "query",
      description: "Sort key. A leading minus sign sorts in descending order.",
      schema,
    });
    parameters.push(...["PageNumber", "PageSize", "Page", "PageSizeShort", "PageAfter", "PageBefore"].map(reference));
  }
  if (query.wholeList) parameters.push(...["PageNumber", "PageSize", "Page", "PageSizeShort"].map(reference));
  if (query.type) {
    const include = includeParameter(query);
    if (include) parameters.push(include);
    parameters.push(...reachableTypes(query.type).map((type) => reference(`Fields_${type}`)));
  }
  if (route.method !== "get") parameters.push(reference("IdempotencyKey"));
  if (conditional) parameters.push(reference("IfMatch"));
  // A response that is streamed has no ETag.
  if (route.method === "get" && !route.streams) parameters.push(reference("IfNoneMatch"));
  return parameters;
}
