import type { Schema } from "../description.ts";
import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import type { Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

type Step = string | number;

/** JSON that is put into a body as it is written here. */
interface Replacement {
  readonly name: string;
  readonly json: string;
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const valuesByKind: Readonly<Record<string, readonly string[]>> = {
  null: ["null"],
  boolean: ["true", "false"],
  number: ["0", "-1", "1.5", "1e308", "1e400", "-0", "9".repeat(400), "9007199254740993"],
  string: ['"x"', '""', '"1"', '"null"'],
  array: ["[]", "[[]]", "[null]", `[${"0,".repeat(2_000)}0]`, `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
  object: ["{}", '{"a":1}', '{"__proto__":{"a":1}}', '{"length":1,"0":"x"}', nested(5_000)],
};

/** Texts that no member takes. */
const badTexts: readonly Replacement[] = [
  ["empty", '""'],
  ["blank", '"   "'],
  ["NUL", '"a\\u0000b"'],
  ["line break", '"a\\r\\nX-Injected: 1"'],
  ["escape character", '"a\\u001b[31mb"'],
  ["C1 control", '"a\\u0085b"'],
  ["lone high surrogate", '"a\\ud800"'],
  ["lone low surrogate", '"\\udc00a"'],
  ["surrogates the wrong way round", '"\\udc00\\ud800"'],
  ["very long", JSON.stringify("x".repeat(20_000))],
  ["very long, wide", JSON.stringify("\u{1f6a2}".repeat(20_000))],
].map(([name = "", json = ""]) => ({ name, json }));

const names = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "then",
  "toJSON",
  "$ref",
  "",
  "\u0000",
  "id",
  "type",
  "account_id",
  "accountId",
  "a'b\"c",
  "x".repeat(5_000),
];

/** The valid body with one value replaced by text that is put in as it is. */
function withJson(valid: unknown, path: readonly Step[], json: string): string {
  const mark = "@@replaced@@";
  const copy = structuredClone({ root: valid }) as Record<string, unknown>;
  let holder: unknown = copy;
  const steps: readonly Step[] = ["root", ...path];
  for (const step of steps.slice(0, -1)) holder = (holder as Record<Step, unknown>)[step];
  (holder as Record<Step, unknown>)[steps.at(-1) ?? "root"] = mark;
  return JSON.stringify(copy.root).replace(`"${mark}"`, () => json);
}

/** Every place in the value, with the schema that holds there. */
function placesOf(
  value: unknown,
  schema: Schema,
  path: readonly Step[] = [],
): { path: readonly Step[]; schema: Schema }[] {
  const here = { path, schema };
  const schemaOfType = (type: string): Schema =>
    (schema.type === type ? schema : schema.anyOf?.find((one) => one.type === type)) ?? schema;
  if (Array.isArray(value)) return [here, ...placesOf(value[0], schemaOfType("array").items ?? {}, [...path, 0])];
  if (typeof value !== "object" || value === null) return [here];
  return [
    here,
    ...Object.entries(value).flatMap(([name, member]) =>
      placesOf(member, schemaOfType("object").properties?.[name] ?? {}, [...path, name]),
    ),
  ];
}

function kindsOf(schema: Schema): ReadonlySet<string> {
  if (schema.const !== undefined) return new Set([typeof schema.const]);
  const kinds = [schema.type ?? [], (schema.anyOf ?? []).flatMap((inner) => [...kindsOf(inner)])].flat();
  return new Set(kinds.map((kind) => (kind === "integer" ? "number" : kind)));
}

/** Statuses of content that is not as it should be; an identity that differs is a conflict, a wrong build malformed. */
const contentStatuses = [400, 403, 409, 422];

function caseOf(operation: Operation, token: string, name: string, body: string): FuzzCase {
  return {
    name: `${operation.id}, body: ${name}`,
    request: requestFor(operation, token, { body }),
    expected: operation.isBulk ? "outcome" : "refused",
    statuses: operation.isBulk ? [200, ...contentStatuses] : contentStatuses,
  };
}

/** Returns each body with each value replaced by values of every other kind. */
export function kindCases(operations: readonly Operation[], _random: Random, token: string): FuzzCase[] {
  return operations.flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    return placesOf(body.valid, body.schema)
      .filter(({ path }) => path.length > 0)
      .flatMap(({ path, schema }) => {
        const kinds = kindsOf(schema);
        if (kinds.size === 0) throw new Error(`${operation.id}: no kind is described at ${path.join("/")}.`);
        return Object.entries(valuesByKind)
          .filter(([kind]) => !kinds.has(kind))
          .flatMap(([kind, values]) =>
            values.map((json) => {
              const name = `${kind} ${json.slice(0, 20)} at /${path.join("/")}`;
              return caseOf(operation, token, name, withJson(body.valid, path, json));
            }),
          );
      });
  });
}

/** A header's value may be empty, and a secret is a key: whatever it is made of signs. */
const usedAsTheyAre: ReadonlySet<Step> = new Set(["value", "secret"]);

/** Texts of several lines. */
const multilineTexts: ReadonlySet<string> = new Set(["editShipment /data/attributes/note"]);

/** Returns each body with each text replaced by texts that cannot be stored. */
export function textCases(operations: readonly Operation[], _random: Random, token: string): FuzzCase[] {
  return operations.flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    return placesOf(body.valid, body.schema)
      .filter(({ path, schema }) => kindsOf(schema).has("string") && !usedAsTheyAre.has(path.at(-1) ?? ""))
      .flatMap(({ path }) => {
        const place = `/${path.join("/")}`;
        const isMultiline = multilineTexts.has(`${operation.id} ${place}`);
        return badTexts
          .filter(({ name }) => !isMultiline || name !== "line break")
          .map(({ name, json }) =>
            caseOf(operation, token, `${name} text at ${place}`, withJson(body.valid, path, json)),
          );
      });
  });
}

/** Unknown members, where only known ones are accepted. */
export function unknownMemberCases(operations: readonly Operation[], _random: Random, token: string): FuzzCase[] {
  return operations.flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    return placesOf(body.valid, body.schema)
      .filter(({ schema }) => schema.additionalProperties === false)
      .flatMap(({ path, schema }) => {
        const known = Object.keys(schema.properties ?? {});
        return names
          .filter((name) => !known.includes(name))
          .map((name) => {
            const marked = withJson(body.valid, [...path, "@@name@@"], '{"polluted":true}');
            const json = marked.replace('"@@name@@"', () => JSON.stringify(name));
            return caseOf(operation, token, `unknown member ${name.slice(0, 20)} at /${path.join("/")}`, json);
          });
      });
  });
}

/** Members that must be there left out, one at a time. */
export function missingMemberCases(operations: readonly Operation[], _random: Random, token: string): FuzzCase[] {
  return operations.flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    return placesOf(body.valid, body.schema).flatMap(({ path, schema }) =>
      (schema.required ?? []).flatMap((name) => {
        // Where a body is optional, `{}` counts as none.
        if (body.optional && path.length === 0) return [];
        const json = withJson(body.valid, [...path, name], '"@@gone@@"')
          .replace(/"[^"]*":"@@gone@@",?/, "")
          .replace(",}", "}");
        return caseOf(operation, token, `no ${name} at /${path.join("/")}`, json);
      }),
    );
  });
}
