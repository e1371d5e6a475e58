import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/**
 * Members that cost more tokens than they explain: the dialect (the protocol's default), regular expressions (the
 * format or the example is clearer), `propertyNames`, and the bounds of safe integers.
 */
function isNoise(name: string, value: unknown): boolean {
  if (name === "$schema" || name === "pattern" || name === "propertyNames") return true;
  return (name === "maximum" || name === "minimum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}

function lean(value: unknown, isPropertyMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => lean(item));
  if (typeof value !== "object" || value === null) return value;
  const schema = value as JsonSchema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, member]) => isPropertyMap || !isNoise(name, member))
      .map(([name, member]) => [name, lean(member, name === "properties" && !isPropertyMap)]),
  );
}

/** The JSON Schema (2020-12) of a zod object, as tools/list shows it. */
export function publishedSchema(schema: z.ZodObject): { type: "object" } & JsonSchema {
  return lean(z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" })) as { type: "object" } & JsonSchema;
}
