import fc from "fast-check";
import type { Schema } from "./description.ts";
import { knownValues, leftOutMembers } from "./sample.ts";

export type Step = string | number;

const plainText = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,18}[A-Za-z0-9]$/);

/** Values that the schema admits and the service takes. */
function validValue(schema: Schema, name = ""): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (name in knownValues) return fc.constant(knownValues[name]);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((inner) => validValue(inner, name)));
  if (schema.type === "object") {
    const members = Object.entries(schema.properties ?? {}).filter(([member]) => !leftOutMembers.has(member));
    const values = Object.fromEntries(members.map(([member, inner]) => [member, validValue(inner, member)]));
    return fc.record(values, { requiredKeys: (schema.required ?? []).filter((member) => member in values) });
  }
  if (schema.type === "array") {
    // One record: of several, those that are right are taken (bulk operations decide each for itself).
    const isRecordArray = schema.items?.type === "object";
    const length = {
      minLength: Math.max(1, schema.minItems ?? 0),
      maxLength: isRecordArray ? 1 : Math.min(4, schema.maxItems ?? 4),
    };
    return fc.uniqueArray(validValue(schema.items ?? {}), { ...length, selector: JSON.stringify });
  }
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "null") return fc.constant(null);
  return schema.pattern === undefined ? plainText : fc.constant("X-Value");
}

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const arbitraryByKind: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger()),
  string: anyText,
  array: fc.array(fc.jsonValue(), { maxLength: 5 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom("__proto__", "constructor", "id"), anyText), fc.jsonValue(), {
    maxKeys: 5,
  }),
};

function kindsOf(schema: Schema): ReadonlySet<string> {
  if (schema.const !== undefined) return new Set([typeof schema.const]);
  if (schema.anyOf) return new Set(schema.anyOf.flatMap((inner) => [...kindsOf(inner)]));
  return new Set(schema.type === undefined ? [] : [schema.type === "integer" ? "number" : schema.type]);
}

function wrongTexts(schema: Schema): fc.Arbitrary<unknown>[] {
  const { enum: allowed, pattern, format, minLength = 0, maxLength } = schema;
  if (schema.const !== undefined) return [anyText.filter((text) => text !== schema.const)];
  if (allowed) return [anyText.filter((text) => !allowed.includes(text))];
  if (pattern !== undefined) return [anyText.filter((text) => !new RegExp(pattern, "u").test(text))];
  if (format !== undefined) return [anyText];
  if (maxLength === undefined) return [];
  return [
    ...(minLength > 0 ? [fc.constant("")] : []),
    fc.integer({ min: 1, max: 500 }).map((more) => "x".repeat(maxLength + more)),
  ];
}

function wrongArrays(schema: Schema, value: readonly unknown[]): fc.Arbitrary<unknown>[] {
  const { minItems = 0, maxItems, uniqueItems } = schema;
  const [first] = value;
  return [
    ...(minItems > 0 ? [fc.constant([])] : []),
    ...(maxItems === undefined
      ? []
      : [fc.integer({ min: 1, max: 50 }).map((more) => Array(maxItems + more).fill(first))]),
    ...(uniqueItems ? [fc.constant([...value, first])] : []),
  ];
}

function wrongObjects(schema: Schema, value: object): fc.Arbitrary<unknown>[] {
  const { required = [], additionalProperties, properties = {} } = schema;
  const without = (name: string) => Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
  const unknownName = fc
    .oneof(fc.constantFrom("__proto__", "constructor"), anyText)
    .filter((name) => !Object.hasOwn(properties, name));
  const withMore = ([name, member]: [string, unknown]) =>
    Object.fromEntries([...Object.entries(value), [name, member]]);
  return [
    ...(required.length > 0 ? [fc.constantFrom(...required).map(without)] : []),
    ...(additionalProperties === false ? [fc.tuple(unknownName, fc.jsonValue()).map(withMore)] : []),
  ];
}

/** Values that the schema does not admit in the place of this one. */
function wrongValue(schema: Schema, value: unknown): fc.Arbitrary<unknown> {
  const kinds = kindsOf(schema);
  const otherKinds = Object.entries(arbitraryByKind).flatMap(([kind, values]) => (kinds.has(kind) ? [] : [values]));
  const sameKind = [schema, ...(schema.anyOf ?? [])].flatMap((one) => {
    if (one.type === "string" || one.const !== undefined) return wrongTexts(one);
    if (one.type === "array" && Array.isArray(value)) return wrongArrays(one, value);
    return one.type === "object" && typeof value === "object" && value !== null ? wrongObjects(one, value) : [];
  });
  const chosen = [...(otherKinds.length > 0 ? [fc.oneof(...otherKinds)] : []), ...sameKind];
  return fc.oneof(...chosen);
}

interface Place {
  readonly path: readonly Step[];
  readonly schema: Schema;
  readonly value: unknown;
}

function placesOf(value: unknown, schema: Schema, path: readonly Step[] = []): Place[] {
  const here = { path, schema, value };
  if (Array.isArray(value)) {
    const items = schema.items ?? schema.anyOf?.find(({ type }) => type === "array")?.items ?? {};
    return [here, ...value.flatMap((item, index) => placesOf(item, items, [...path, index]))];
  }
  if (typeof value !== "object" || value === null) return [here];
  const described = schema.properties ?? schema.anyOf?.find(({ type }) => type === "object")?.properties ?? {};
  return [
    here,
    ...Object.entries(value).flatMap(([name, member]) => placesOf(member, described[name] ?? {}, [...path, name])),
  ];
}

function replaced(value: unknown, [step, ...rest]: readonly Step[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [
      name,
      name === step ? replaced(member, rest, by) : member,
    ]),
  );
}

/** Bodies that the schema admits but for one place. */
export function almostValid(schema: Schema): fc.Arbitrary<{ readonly body: unknown; readonly at: string }> {
  return validValue(schema).chain((valid) =>
    fc.constantFrom(...placesOf(valid, schema)).chain((place) =>
      wrongValue(place.schema, place.value).map((wrong) => ({
        body: replaced(valid, place.path, wrong),
        at: `/${place.path.join("/")}`,
      })),
    ),
  );
}
