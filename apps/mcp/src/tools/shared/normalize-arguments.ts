import { snakeCase } from "@svc/domain";

/** JSON Schema of one argument, as far as it matters here. */
interface ArgumentSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly items?: ArgumentSchema;
  readonly enum?: readonly unknown[];
}

/** How the arguments of a tool may be written, beyond their schema. */
export interface Spellings {
  /** Other names of arguments. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** Lists of texts of which none contains a comma. */
  readonly commaSeparated?: readonly string[] | undefined;
}

export interface NormalizedArguments {
  readonly input: Readonly<Record<string, unknown>>;
  /** Names of arguments that the tool does not have. They are left out, and the result names them. */
  readonly unknown: readonly string[];
}

/**
 * Clients write `5`, `true` and lists as texts; what is not unmistakable stays, and the schema refuses it. A text for a
 * list of texts is one item, unless `isCommaSeparated`: a reference may contain a comma.
 */
function coerced(value: unknown, schema: ArgumentSchema, isCommaSeparated = false): unknown {
  if (schema.type === "array") {
    const itemSchema = schema.items ?? {};
    const isSplit = isCommaSeparated || itemSchema.enum !== undefined || itemSchema.type !== "string";
    const items = typeof value === "string" && isSplit ? value.split(",").map((item) => item.trim()) : value;
    const list = Array.isArray(items) ? items : [items];
    return list.map((item) => coerced(item, itemSchema));
  }
  if (typeof value !== "string") return value;
  if (schema.type === "integer" && /^-?\d{1,9}$/.test(value.trim())) return Number(value);
  if (schema.type === "boolean" && /^(?:true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === "true";
  return value;
}

/**
 * Converts arguments to the schema: resolves aliases and spellings of names, parses numbers, booleans and lists given
 * as text, drops null and empty texts, and reports unknown names. Undefined for what is not an object.
 */
export function normalizeArguments(
  raw: unknown,
  schema: ArgumentSchema,
  spellings: Spellings,
  path = "",
): NormalizedArguments | undefined {
  if (raw === undefined || raw === null) return { input: {}, unknown: [] };
  if (typeof raw !== "object" || Array.isArray(raw)) return undefined;
  const properties = schema.properties ?? {};
  const { aliases = {}, commaSeparated } = spellings;
  const input: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [rawName, value] of Object.entries(raw)) {
    const name = [rawName, aliases[rawName], snakeCase(rawName), aliases[snakeCase(rawName)]].find(
      (candidate) => candidate !== undefined && Object.hasOwn(properties, candidate),
    );
    if (name === undefined) {
      unknown.push(`${path}${rawName}`);
      continue;
    }
    const own = properties[name] ?? {};
    if (value === null || value === "" || input[name] !== undefined) continue;
    const inner = own.type === "object" ? normalizeArguments(value, own, spellings, `${name}.`) : undefined;
    if (inner) unknown.push(...inner.unknown);
    input[name] = inner ? inner.input : coerced(value, own, commaSeparated?.includes(name));
  }
  return { input, unknown };
}
