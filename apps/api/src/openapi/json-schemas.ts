import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Formats that make zod's patterns for them redundant. */
const selfExplaining = new Set(["date-time", "uuid", "uri"]);

/**
 * Collects the named schemas of the API while it is described: what has `.meta({ id })` becomes a component and is
 * referred to, everything else stands where it is used.
 */
export class JsonSchemas {
  readonly components: Record<string, JsonSchema> = {};

  /** `io` "input": what a client sends; "output": what the service returns. */
  add(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    // Wrapped, because the outermost schema is never made a component.
    const wrapped = z.toJSONSchema(z.object({ wrapped: schema }), {
      target: "draft-2020-12",
      io,
      unrepresentable: "any",
      override({ jsonSchema }) {
        if (typeof jsonSchema.format === "string" && selfExplaining.has(jsonSchema.format)) delete jsonSchema.pattern;
        // Responses may get more members; a client that refuses them would break.
        if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        evenTuple(jsonSchema);
      },
    }) as unknown as { properties: { wrapped: JsonSchema }; $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries(wrapped.$defs ?? {})) {
      const { id: _id, $id: _$id, ...rest } = definition;
      this.components[name] = toComponentReferences(rest) as JsonSchema;
    }
    return toComponentReferences(wrapped.properties.wrapped) as JsonSchema;
  }
}

/** A tuple of equal places as an array of that length, which more tools understand. */
function evenTuple(jsonSchema: {
  prefixItems?: unknown[];
  items?: unknown;
  minItems?: number;
  maxItems?: number;
}): void {
  const { prefixItems } = jsonSchema;
  if (prefixItems === undefined || new Set(prefixItems.map((place) => JSON.stringify(place))).size !== 1) return;
  delete jsonSchema.prefixItems;
  Object.assign(jsonSchema, { items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length });
}

function toComponentReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponentReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "$ref" && typeof member === "string"
        ? member.replace("#/$defs/", "#/components/schemas/")
        : toComponentReferences(member),
    ]),
  );
}
