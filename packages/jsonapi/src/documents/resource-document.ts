import { z } from "zod";
import type { SparseFields } from "../query/read-query.ts";
import { type AnyResource, dateTime } from "../resource.ts";
import type { PageLinks } from "./page-links.ts";

/** A document with one resource, or with a page of them. */
export interface ResourceDocument {
  /** Only for a page by cursor. */
  readonly jsonapi?: object;
  readonly data: AnyResource | readonly AnyResource[];
  readonly included?: readonly AnyResource[];
  readonly links?: PageLinks | { readonly self: string };
  readonly meta?: object;
}

/** The links and meta members of a document. */
type DocumentMembers = Pick<ResourceDocument, "links" | "meta">;

function pick(members: object, fieldNames: ReadonlySet<string>): object | undefined {
  const entries = Object.entries(members).filter(([name]) => fieldNames.has(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The resource with only the requested fields; `id`, `type` and `links` are always present. */
function selectFields(resource: AnyResource, fields: SparseFields): AnyResource {
  const fieldNames = fields.get(resource.type);
  if (!fieldNames) return resource;
  const attributes = pick(resource.attributes ?? {}, fieldNames);
  const relationships = pick(resource.relationships ?? {}, fieldNames);
  return {
    id: resource.id,
    type: resource.type,
    ...(attributes && { attributes }),
    ...(relationships && { relationships }),
    ...(resource.links && { links: resource.links }),
  };
}

/** The document of a response. `included` null: no include was requested, and the member is omitted. */
export function resourceDocument(
  data: AnyResource | readonly AnyResource[],
  included: readonly AnyResource[] | null,
  fields: SparseFields,
  members?: DocumentMembers,
): ResourceDocument {
  return {
    data: Array.isArray(data)
      ? data.map((resource: AnyResource) => selectFields(resource, fields))
      : selectFields(data as AnyResource, fields),
    ...(included && { included: included.map((resource) => selectFields(resource, fields)) }),
    ...members,
  };
}

/** `included` may contain any resource; each is validated by its own schema where needed. */
const included = z
  .array(z.looseObject({ id: z.string(), type: z.string() }))
  .optional()
  .describe("The resources selected by `include`, each once.");

/** A document schema for each resource, named after it. */
function cachedSchema<Schema extends z.ZodType>(suffix: string, build: (resource: z.ZodType) => Schema) {
  const schemas = new WeakMap<z.ZodType, Schema>();
  return (resource: z.ZodType): Schema => {
    const known = schemas.get(resource);
    if (known) return known;
    const id = resource.meta()?.id;
    const schema = id === undefined ? build(resource) : build(resource).meta({ id: `${id}${suffix}` });
    schemas.set(resource, schema);
    return schema;
  };
}

const documentLinks = z
  .object({ self: z.url().describe("URL of this document, including the query.") })
  .meta({ id: "DocumentLinks" });

export const documentSchema = cachedSchema("Document", (resource) =>
  z.object({ data: resource, included, links: documentLinks }),
);

const AsOfMeta = z.object({ as_of: dateTime.describe("The time of the returned state.") }).meta({ id: "AsOfMeta" });

/** `documentSchema` for a resource that supports `as_of`. */
export const asOfDocumentSchema = cachedSchema("Document", (resource) =>
  z.object({
    data: resource,
    included,
    links: documentLinks,
    meta: AsOfMeta.optional().describe("Present only in a response to `as_of`."),
  }),
);

const PageMeta = z
  .object({
    total: z.number().int().describe("Rows of the whole list, counted up to 10000."),
    size: z.number().int().describe("Maximum number of rows of this page: the requested size, at most 100."),
    page: z.object({
      total: z.number().int().describe("The same as meta.total."),
      total_is_exact: z
        .boolean()
        .describe("Whether `total` counts every row. False: the list has more rows than are counted."),
      size: z.number().int().describe("The same as meta.size."),
      end_cursor: z
        .string()
        .nullable()
        .describe(
          "Cursor for page[after], to continue from the last row of this page. Null when the page is empty or the list has no cursors.",
        ),
      number: z.number().int().optional().describe("Number of the page. Present only on a numbered page."),
    }),
    search: z
      .object({
        is_complete: z
          .boolean()
          .describe(
            "Whether every match was searched. False: more records match than are searched by the other filters.",
          ),
        containers: z
          .array(z.object({ shipment_id: z.uuid(), id: z.uuid(), number: z.string() }))
          .describe(
            "First container by number that matches, for each shipment of the page. Only for shipment overviews.",
          ),
      })
      .optional()
      .describe("Present only in a response to `filter[search]` of overviews or exceptions."),
  })
  .meta({ id: "PageMeta" });

const PageLinksSchema = z
  .object({
    self: z.url(),
    current: z.url().describe("The same as self."),
    first: z.url(),
    prev: z.url().optional().describe("URL of the previous page. Absent on the first page."),
    next: z
      .url()
      .optional()
      .describe("URL of the next page. Absent on the last page. Follow it to the end of a list of any length."),
    last: z
      .url()
      .optional()
      .describe(
        "URL of the last page. Present only on a numbered page, and absent when the list is too long to count.",
      ),
  })
  .meta({ id: "PageLinks" });

/** The `jsonapi` object, with the profile of pages by cursor. */
const AppliedProfiles = z
  .object({ version: z.literal("1.1"), profile: z.array(z.url()) })
  .meta({ id: "AppliedProfiles" })
  .optional()
  .describe("Present only on a page by cursor.");

const ListOrPageLinks = PageLinksSchema.partial()
  .required({ self: true, current: true })
  .meta({ id: "WholeListOrPageLinks" })
  .describe("Links. All are present only when a page was requested.");

/** A list that is returned completely unless a page is requested. */
export const listOrPageSchema = cachedSchema("List", (resource) =>
  z.object({
    data: z.array(resource),
    links: ListOrPageLinks,
    meta: PageMeta.describe("Counts of the list. Without a requested page `size` is the length of the list."),
  }),
);

export const pageSchema = cachedSchema("Page", (resource) =>
  z.object({
    jsonapi: AppliedProfiles,
    data: z.array(resource),
    included,
    links: PageLinksSchema,
    meta: PageMeta,
  }),
);
