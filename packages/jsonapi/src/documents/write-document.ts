import { isJsonObject, type JsonObject, jsonEqual, readInstant } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import { z } from "zod";
import type { AnyResource } from "../resource.ts";
import { TrackingError } from "../tracking-error.ts";
import type { WireName } from "../wire-names.ts";
import { FaultList } from "./issue-faults.ts";

/** The allowed content of a request body. */
export interface WriteDocument<
  Attributes extends z.ZodObject = z.ZodObject,
  Relationships extends z.ZodObject = z.ZodObject,
> {
  /** Name of the document in the published description. */
  readonly name: string;
  readonly type: string;
  /** Strict: unknown members are faults and not ignored. */
  readonly attributes: Attributes;
  readonly relationships?: Relationships;
  /** The document only identifies its resource, so attributes are optional. */
  readonly identityOnly?: boolean;
  /** Read-only attributes of the resource, for a specific error message. */
  readonly readOnly: readonly string[];
}

/** One attribute for each setting of a record, by its wire name. */
export type WrittenShape<Settings> = {
  readonly [Name in keyof Settings & string as WireName<Name>]: z.ZodType;
};

export type WrittenResource<Definition> =
  Definition extends WriteDocument<infer Attributes, infer Relationships>
    ? {
        /** Id as sent, in lower case; null: not in the body. */
        readonly id: string | null;
        readonly attributes: z.output<Attributes>;
        readonly relationships: Partial<z.output<Relationships>>;
      }
    : never;

const noRelationships = z.strictObject({});

const malformed = (detail: string, pointer: string): TrackingError =>
  TrackingError.of("malformed_document", detail, { source: { pointer } });

function addIdentityFaults(faults: FaultList, data: JsonObject, type: string, pathId: string | null, at: string): void {
  if (data.type !== undefined && data.type !== type) {
    faults.add({ code: "conflict", detail: `type must be "${type}".`, source: { pointer: `${at}/type` } });
  }
  if (data.id === undefined) return;
  const pointer = `${at}/id`;
  if (pathId === null) {
    faults.add({ code: "forbidden", detail: "The service assigns the id. Leave it out.", source: { pointer } });
  } else if (typeof data.id !== "string" || data.id.toLowerCase() !== pathId.toLowerCase()) {
    faults.add({ code: "conflict", detail: "id differs from the id in the path.", source: { pointer } });
  }
}

/** The names in `sent` of read-only members of the resource. */
function readOnlyNames(sent: JsonObject, writable: z.ZodObject, known: readonly string[]): string[] {
  return Object.keys(sent).filter((name) => !Object.hasOwn(writable.shape, name) && known.includes(name));
}

/** Whether the body contains read-only attributes or relationships, for example a complete record sent back. */
export function sendsReadOnly(definition: WriteDocument, body: unknown): boolean {
  if (!isJsonObject(body) || !isJsonObject(body.data)) return false;
  const { attributes = {}, relationships = {} } = body.data;
  return (
    (isJsonObject(attributes) && readOnlyNames(attributes, definition.attributes, definition.readOnly).length > 0) ||
    (isJsonObject(relationships) && Object.keys(relationships).length > 0)
  );
}

/** Compares times in any notation, and lists of identifiers in any order. */
function isUnchanged(sent: unknown, present: unknown): boolean {
  if (typeof sent === "string" && typeof present === "string" && sent !== present) {
    const [first, second] = [readInstant(sent), readInstant(present)];
    return first !== null && first === second;
  }
  return jsonEqual(sent, present);
}

/** The members to write, without unchanged read-only ones. */
function withoutUnchanged(sent: JsonObject, present: JsonObject | undefined, names: readonly string[]): JsonObject {
  if (!present) return sent;
  const unchanged = new Set(
    names.filter((name) => Object.hasOwn(present, name) && isUnchanged(sent[name], present[name])),
  );
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !unchanged.has(name)));
}

const linkageOf = (relationships: object | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(relationships ?? {}).map(([name, relationship]) => [
      name,
      isJsonObject(relationship) ? sortedLinkage(relationship.data) : relationship,
    ]),
  );

function sortedLinkage(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((one) => (isJsonObject(one) ? `${one.type} ${one.id}` : one)).toSorted();
  return isJsonObject(data) ? { type: data.type, id: data.id } : data;
}

function leftToWrite(sent: JsonObject, present: AnyResource | undefined, definition: WriteDocument): JsonObject {
  const [sentLinkage, storedLinkage] = [linkageOf(sent), linkageOf(present?.relationships)];
  const names = readOnlyNames(sent, definition.relationships ?? noRelationships, Object.keys(storedLinkage));
  const left = withoutUnchanged(sentLinkage, present && storedLinkage, names);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(left, name)));
}

/**
 * Checks one `data` member. Throws `TrackingError` with all faults: 400 for a malformed document, 409 for another type
 * or id, 422 for invalid content. Other JSON:API members (`meta`, `links`, …) are ignored.
 */
export function readResourceObject<Definition extends WriteDocument>(
  definition: Definition,
  data: unknown,
  options: {
    readonly pathId: string | null;
    readonly at: string;
    /** The stored record, needed when the body has read-only members: equal values are accepted. */
    readonly present?: AnyResource;
  },
): WrittenResource<Definition> {
  const { at, present } = options;
  if (!isJsonObject(data)) throw malformed("data must be an object.", at);
  const { attributes: sent = definition.identityOnly ? {} : undefined, relationships: linked = {} } = data;
  if (!isJsonObject(sent)) throw malformed("data.attributes is required and must be an object.", at);
  if (!isJsonObject(linked)) throw malformed("data.relationships must be an object.", `${at}/relationships`);
  const attributes = withoutUnchanged(
    sent,
    present?.attributes as JsonObject | undefined,
    readOnlyNames(sent, definition.attributes, definition.readOnly),
  );
  const relationships = leftToWrite(linked, present, definition);
  const faults = new FaultList();
  addIdentityFaults(faults, data, definition.type, options.pathId, at);
  const writable = Object.keys(definition.attributes.shape).join(", ") || "nothing";
  const unknownAttribute = (name: string): string =>
    definition.readOnly.includes(name)
      ? `${name} is read-only here${present ? " and differs from the record" : ""}. Writable: ${writable}.`
      : `There is no attribute ${JSON.stringify(name.slice(0, 100))}. Writable: ${writable}.`;
  const written = definition.attributes.safeParse(attributes);
  if (!written.success) {
    faults.addIssues(written.error.issues, attributes, `${at}/attributes`, unknownAttribute);
  }
  const related = (definition.relationships ?? noRelationships).safeParse(relationships);
  if (!related.success) {
    const unknown = (name: string): string =>
      `The relationship ${JSON.stringify(name.slice(0, 100))} cannot be written here.`;
    faults.addIssues(related.error.issues, relationships, `${at}/relationships`, unknown);
  }
  faults.throwIfAny();
  const id = typeof data.id === "string" ? data.id.toLowerCase() : null;
  return { id, attributes: written.data, relationships: related.data } as unknown as WrittenResource<Definition>;
}

/** The id in the body, a UUID. Throws `TrackingError`: 400 for a malformed document, 422 without an id. */
export function idInBody(body: unknown): string {
  if (!isJsonObject(body)) throw malformed("The body must be a JSON object with a member data.", "");
  if (!isJsonObject(body.data)) throw malformed("data must be an object.", "/data");
  const { id } = body.data;
  if (typeof id === "string" && isUuid(id)) return id.toLowerCase();
  const source = { pointer: "/data/id" };
  throw id === undefined
    ? TrackingError.of("blank", "id is required.", { source })
    : TrackingError.of("invalid", "id must be a UUID.", { source });
}

/** Checks a document with one resource. */
export function readWriteDocument<Definition extends WriteDocument>(
  definition: Definition,
  body: unknown,
  pathId: string | null,
  present?: AnyResource,
): WrittenResource<Definition> {
  if (!isJsonObject(body)) throw malformed("The body must be a JSON object with a member data.", "");
  if (body.data === undefined) throw malformed("The body needs a member data.", "");
  return readResourceObject(definition, body.data, { pathId, at: "/data", ...(present && { present }) });
}

/** Checks a body that is not a JSON:API document (docs/contract/decisions.md 2: infer, trigger). */
export function readPlainBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  if (!isJsonObject(body)) throw malformed("The body must be a JSON object.", "");
  const result = schema.safeParse(body);
  const faults = new FaultList();
  const names = Object.keys(schema.shape).join(", ");
  const unknown = (name: string): string =>
    `There is no member ${JSON.stringify(name.slice(0, 100))} here. Known: ${names}.`;
  if (!result.success) faults.addIssues(result.error.issues, body, "", unknown);
  faults.throwIfAny();
  return result.data as z.output<Schema>;
}

const schemas = new WeakMap<WriteDocument, ReturnType<typeof buildSchema>>();

const buildSchema = (definition: WriteDocument) =>
  z
    .object({
      data: z.object({
        type: z.literal(definition.type).optional(),
        id: z.uuid().optional().describe("Must equal the id in the path. Leave it out when creating."),
        attributes: definition.identityOnly ? definition.attributes.optional() : definition.attributes,
        ...(definition.relationships && { relationships: definition.relationships.optional() }),
      }),
    })
    .meta({ id: definition.name });

/** The schema of the document for the published description. */
export function writeDocumentSchema(definition: WriteDocument): ReturnType<typeof buildSchema> {
  const schema = schemas.get(definition) ?? buildSchema(definition);
  schemas.set(definition, schema);
  return schema;
}
