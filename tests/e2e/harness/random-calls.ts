import fc from "fast-check";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A tool as tools/list gives it. */
export interface PublishedTool {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema: { readonly type: "object" };
}

/** Records that exist, so that some calls find one. */
export interface Known {
  readonly ids: readonly string[];
  readonly numbers: readonly string[];
}

export interface RandomCall {
  readonly name: string;
  readonly kind: "by the schema" | "unknown argument" | "malformed" | "unknown tool";
  readonly input: unknown;
  readonly unknownArgument?: string;
}

const anyText = (maxLength = 80) => fc.string({ unit: "binary", minLength: 1, maxLength: Math.min(maxLength, 80) });

/** Returns values for a text by the name of its argument, which the schema does not restrict. */
function textOf(name: string, { format, maxLength }: Schema, { ids, numbers }: Known): fc.Arbitrary<string> {
  if (format === "date") return fc.constantFrom("2026-01-31", "2027-12-01");
  if (/(?:_after|_before|^since)$/.test(name))
    return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
  const likely: Readonly<Record<string, readonly string[]>> = {
    id: [...ids, ...numbers],
    ids: numbers,
    shipment: numbers,
    query: [...numbers, "MAEU", "MSKU", "26217", "only", "msku-000 000"],
    number: [...numbers, "SBXL7000001", "SBXL7000002", "MAEU999999999"],
    request_number: [...numbers, "SBXL7000001"],
    search: ["maersk", "MSC", "a", "line"],
    scac: ["SBXL", "MAEU", "maeu"],
    carrier: ["SBXL", "MAEU", "maeu"],
    port: ["USLAX", "nlrtm", "NLRTM"],
  };
  const known = likely[name];
  return known ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, anyText(maxLength)) : anyText(maxLength);
}

function valid(name: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type ?? "string") {
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([member, inner]) => [member, valid(member, inner, known)]),
        ),
        { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true },
      );
    case "array":
      return fc.array(valid(name, schema.items ?? {}, known), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case "integer": {
      const { minimum = 0, maximum = 1_000 } = schema;
      const few = fc.integer({ min: minimum, max: Math.min(maximum, 3) });
      return fc.oneof({ weight: 3, arbitrary: few }, fc.integer({ min: minimum, max: maximum }));
    }
    case "boolean":
      return fc.boolean();
    default:
      return textOf(name, schema, known);
  }
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, -1, 0, 1e21, 1.5, "", "\u0000", "\u202e\u200b", "x".repeat(5_000), [], {}, [[[]]]),
);

/** Valid arguments with one value that is anything, or without one, or no arguments at all but anything. */
function malformed(tool: PublishedTool, known: Known): fc.Arbitrary<unknown> {
  const names = Object.keys(tool.inputSchema.properties ?? {});
  const changed = fc
    .tuple(valid("", tool.inputSchema, known), fc.constantFrom(...names), anything)
    .map(([input, name, value]) => ({ ...(input as object), [name]: value }));
  const without = fc
    .tuple(valid("", tool.inputSchema, known), fc.constantFrom(...names))
    .map(([input, name]) => ({ ...(input as object), [name]: undefined }));
  return fc.oneof({ weight: 4, arbitrary: changed }, without, anything);
}

function callOf(tool: PublishedTool, known: Known): fc.Arbitrary<RandomCall> {
  const { name, inputSchema } = tool;
  const names = Object.keys(inputSchema.properties ?? {});
  const strange = fc
    .oneof(fc.constantFrom("state", "bogus", "Status", "constructor"), fc.stringMatching(/^[a-z_]{3,20}$/))
    .filter((argument) => !names.includes(argument));
  // Uncommon characters aside, values are such that only the unknown argument can be wrong.
  const right = fc.record(
    Object.fromEntries(
      Object.entries(inputSchema.properties ?? {})
        .filter(([member]) => inputSchema.required?.includes(member))
        .map(([member]) => [
          member,
          member === "ids" ? fc.constant(known.numbers.slice(0, 1)) : fc.constantFrom(...known.numbers),
        ]),
    ),
    { noNullPrototype: true },
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: valid("", inputSchema, known).map((input) => ({ name, kind: "by the schema" as const, input })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(right, strange, anything).map(([input, unknownArgument, value]) => ({
        name,
        kind: "unknown argument" as const,
        input: { ...input, [unknownArgument]: value },
        unknownArgument,
      })),
    },
    { weight: 3, arbitrary: malformed(tool, known).map((input) => ({ name, kind: "malformed" as const, input })) },
  );
}

/** Calls of all tools in equal parts, and of some that do not exist; the same for the same seed. */
export function randomCalls(
  tools: readonly PublishedTool[],
  known: Known,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly RandomCall[] {
  const names = tools.map((tool) => tool.name);
  const unknownTool = anyText(40)
    .filter((name) => !names.includes(name))
    .map((name) => ({ name, kind: "unknown tool" as const, input: {} }));
  const any = fc.oneof(...tools.map((tool) => ({ weight: 4, arbitrary: callOf(tool, known) })), {
    weight: 1,
    arbitrary: unknownTool,
  });
  return fc.sample(any, { seed, numRuns: count });
}
