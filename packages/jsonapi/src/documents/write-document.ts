import { TrackingError } from "@svc/domain";
import { z } from "zod";
import { FaultList } from "./issue-faults.ts";

/** What a write of one resource may say. */
export interface WriteDocument<
  Attributes extends z.ZodObject = z.ZodObject,
  Relationships extends z.ZodObject = z.ZodObject,
> {
  /** Of the document, in the published description. */
  readonly name: string;
  readonly type: string;
  /** Strict: a member that it does not have is a fault, never dropped. */
  readonly attributes: Attributes;
  readonly relationships?: Relationships;
  /** It only names its resource, so that it needs no attributes. */
  readonly identityOnly?: boolean;
  /** Attributes of the resource that exist but cannot be written, so that the error can say so. */
  readonly readOnly: readonly string[];
}

export type WrittenResource<Definition> =
  Definition extends WriteDocument<infer Attributes, infer Relationships>
    ? { readonly attributes: z.output<Attributes>; readonly relationships: Partial<z.output<Relationships>> }
    : never;

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const noRelationships = z.strictObject({});

const malformed = (detail: string, pointer: string): TrackingError =>
  TrackingError.of("malformed_document", detail, { source: { pointer } });

function addIdentityFaults(faults: FaultList, data: Members, type: string, pathId: string | null, at: string): void {
  if (data.type !== undefined && data.type !== type) {
    faults.add({ code: "conflict", detail: `type must be "${type}".`, source: { pointer: `${at}/type` } });
  }
  if (data.id === undefined) return;
  const pointer = `${at}/id`;
  if (pathId === null) {
    faults.add({ code: "forbidden", detail: "The service makes the id; leave it out.", source: { pointer } });
  } else if (typeof data.id !== "string" || data.id.toLowerCase() !== pathId.toLowerCase()) {
    faults.add({ code: "conflict", detail: "id is not the id of the address.", source: { pointer } });
  }
}

/**
 * Checks one `data` member. Throws `TrackingError` with every fault found: 400 for a document of the wrong build, 409
 * for another type or id, 422 for content. Members that JSON:API knows beside these (`meta`, `links`, …) are ignored.
 */
export function readResourceObject<Definition extends WriteDocument>(
  definition: Definition,
  data: unknown,
  options: { readonly pathId: string | null; readonly at: string },
): WrittenResource<Definition> {
  const { at } = options;
  if (!isObject(data)) throw malformed("data must be a resource object.", at);
  const { attributes = definition.identityOnly ? {} : undefined, relationships = {} } = data;
  if (!isObject(attributes)) throw malformed("data needs a member attributes, an object.", at);
  if (!isObject(relationships)) throw malformed("data.relationships must be an object.", `${at}/relationships`);
  const faults = new FaultList();
  addIdentityFaults(faults, data, definition.type, options.pathId, at);
  const writable = Object.keys(definition.attributes.shape).join(", ") || "nothing";
  const unknownAttribute = (name: string): string =>
    definition.readOnly.includes(name)
      ? `${name} cannot be written here. Can be written: ${writable}.`
      : `There is no attribute ${JSON.stringify(name.slice(0, 100))}. Can be written: ${writable}.`;
  const written = definition.attributes.safeParse(attributes);
  if (!written.success) {
    faults.addIssues(written.error.issues, attributes, `${at}/attributes`, unknownAttribute);
  }
  const related = (definition.relationships ?? noRelationships).safeParse(relationships);
  if (!related.success) {
    const unknown = (name: string): string =>
      `The relationship ${JSON.stringify(name.slice(0, 100))} cannot be written.`;
    faults.addIssues(related.error.issues, relationships, `${at}/relationships`, unknown);
  }
  faults.throwIfAny();
  return { attributes: written.data, relationships: related.data } as unknown as WrittenResource<Definition>;
}

/** Checks a whole document with one resource. */
export function readWriteDocument<Definition extends WriteDocument>(
  definition: Definition,
  body: unknown,
  pathId: string | null,
): WrittenResource<Definition> {
  if (!isObject(body)) throw malformed("The body must be a JSON object with a member data.", "");
  if (body.data === undefined) throw malformed("The document needs a member data.", "");
  return readResourceObject(definition, body.data, { pathId, at: "/data" });
}

/** Checks a body that is no JSON:API document (docs/contract/decisions.md 2: infer, trigger). */
export function readPlainBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  if (!isObject(body)) throw malformed("The body must be a JSON object.", "");
  const result = schema.safeParse(body);
  const faults = new FaultList();
  const names = Object.keys(schema.shape).join(", ");
  const unknown = (name: string): string => `There is no ${JSON.stringify(name.slice(0, 100))} here. Known: ${names}.`;
  if (!result.success) faults.addIssues(result.error.issues, body, "", unknown);
  faults.throwIfAny();
  return result.data as z.output<Schema>;
}

const schemas = new WeakMap<WriteDocument, ReturnType<typeof makeSchema>>();

const makeSchema = (definition: WriteDocument) =>
  z
    .object({
      data: z.object({
        type: z.literal(definition.type).optional(),
        id: z.uuid().optional().describe("Only the id of the address; a new resource has none."),
        attributes: definition.identityOnly ? definition.attributes.optional() : definition.attributes,
        ...(definition.relationships && { relationships: definition.relationships.optional() }),
      }),
    })
    .meta({ id: definition.name });

/** The schema of the whole document, for the published description. */
export function writeDocumentSchema(definition: WriteDocument): ReturnType<typeof makeSchema> {
  const schema = schemas.get(definition) ?? makeSchema(definition);
  schemas.set(definition, schema);
  return schema;
}
