import type { Schema } from "../description.ts";
import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import type { Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

/** Parameters that no operation knows. */
const unknown = [
  "foo=1",
  "filter=x",
  "filter[]=x",
  "filter[x]=1",
  "filter[status][x]=1",
  "page[]=1",
  "page[offset]=1",
  "page[number][x]=1",
  "fields=id",
  "fields[bogus]=x",
  "fields[__proto__]=x",
  "fields[constructor]=x",
  "__proto__=1",
  "__proto__[x]=1",
  "constructor=1",
  "constructor.prototype.x=1",
  "toString=1",
  "=1",
  "%00=1",
  "a%00b=1",
  "a%0d%0aX-Injected:%201=1",
  "%FF=1",
  "%=1",
  "x=%",
  "x=%E0%A4%A",
  "%ED%A0%80=1",
  "Include=x",
  "PAGE[SIZE]=1",
  "' OR 1=1--",
  "1;DROP TABLE shipments",
  "$where=1",
  `${"n".repeat(4_000)}=1`,
].map((query) => query.replaceAll(" ", "%20"));

const badCounts = [
  "0",
  "-1",
  "1.5",
  "1e3",
  "",
  "abc",
  "0x10",
  "01",
  "+1",
  "1,2",
  "NaN",
  "9".repeat(30),
  "%00",
  "%D9%A1",
  "1;DROP%20TABLE%20shipments",
];
const badSorts = [
  "",
  "-",
  "--created_at",
  "bogus",
  "created_at,bogus",
  "created_at;DROP%20TABLE%20shipments",
  "__proto__",
  "constructor",
  "(SELECT%201)",
  "created_at%20DESC",
  "%00",
];
const badNames = [
  "bogus",
  "a.b.c.d.e.f",
  "__proto__",
  "constructor",
  "toString",
  ",",
  "%00",
  "x".repeat(3_000),
  "'",
  "*",
];
const invalidTimestamps = [
  "yesterday",
  "",
  "2026-13-01",
  "2026-02-30T25:00:00Z",
  "2026-02-30",
  "2026-04-31T10:00:00Z",
  "2026-11-21T24:00:00Z",
  "0000-01-01T00:00:00Z",
  "-271821-04-20",
  "%2B999999-01-01",
  "99999999999999",
  "now()",
  "2026-11-21T10:00:00",
  "'%20OR%201=1",
  "%00",
  "NaN",
];
const noTexts = [
  "",
  "%00",
  "a%00b",
  "%0a",
  ",",
  "x,",
  "x".repeat(2_000),
  Array.from({ length: 101 }, () => "x").join(","),
];

const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const someId = "0199f0a0-0000-7000-8000-000000000001";
const noCursors = [
  "",
  "abc",
  "%00",
  json([]),
  json({}),
  json(null),
  json(["created_at"]),
  json(["bogus", "x", someId]),
  json(["created_at", 1, someId]),
  json(["created_at", "9999-99-99T99:99:99.999Z", someId]),
  json(["created_at", "2026-02-30T00:00:00.000Z", someId]),
  json(["created_at", "0000-01-01T00:00:00.000Z", someId]),
  json(["created_at", "2026-11-21T10:00:00.000Z", "x"]),
  json(["created_at", "'; DROP TABLE shipments; --", someId]),
  json(["__proto__", "x", someId]),
  `${"[".repeat(3_000)}`,
  Buffer.from([0xff, 0xfe]).toString("base64url"),
];

/** Values that the parameter does not take. */
function badValues(name: string, schema: Schema): readonly string[] {
  if (name === "sort") return badSorts;
  if (name === "include" || name.startsWith("fields[")) return badNames;
  if (name === "page[after]" || name === "page[before]") return noCursors;
  if (schema.type === "integer") {
    const { minimum = 1, maximum = 1_000_000 } = schema;
    const isAccepted = (text: string) =>
      /^(?:0|-?[1-9]\d{0,8})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
    // A page size above the maximum is cut to it.
    return [...badCounts.filter((text) => !isAccepted(text)), name.includes("size") ? "2147483648" : "999999999"];
  }
  if (schema.type === "boolean") return ["", "yes", "1", "TRUE", "null", "%00"];
  if (/_at\]|_after\]|_before\]/.test(name)) return invalidTimestamps;
  const items = schema.items ?? schema;
  if (items.enum)
    return ["", "bogus", `${items.enum[0]},`, `${items.enum[0]},bogus`, "__proto__", "'%20OR%20'1'='1", "%00"];
  if (items.format === "uuid") return ["", "1", "null", "'%20OR%201=1", `${someId},`, "%00"];
  // One text may hold commas; where several may stand, they part them.
  return schema.type === "array" ? noTexts : noTexts.filter((text) => !text.includes(","));
}

const with_ = (own: string, added: string): string => (own === "" ? added : `${own}&${added}`);

/** Queries that are not understood: unknown names, values of the wrong kind, repeated and broken ones. */
export function queryCases(operations: readonly Operation[], random: Random, token: string): FuzzCase[] {
  return operations.flatMap((operation) => {
    const queryCase = (query: string): FuzzCase => ({
      name: `${operation.id}, query`,
      request: requestFor(operation, token, { query }),
      expected: "refused",
      statuses: [400],
    });
    const known = operation.parameters.flatMap(({ name, schema }) =>
      random.some(badValues(name, schema), name.startsWith("fields[") ? 1 : 3).map((value) => {
        const other = operation.query.startsWith(`${name}=`) ? "" : operation.query;
        return queryCase(with_(other, `${name}=${value}`));
      }),
    );
    const repeated = operation.parameters.slice(0, 1).map(({ name }) => queryCase(`${name}=x&${name}=x`));
    const missing = operation.query === "" ? [] : [queryCase("")];
    const others = random.some(unknown, 9).map((query) => queryCase(with_(operation.query, query)));
    return [
      ...known,
      ...repeated,
      ...missing,
      ...others,
      queryCase(Array.from({ length: 500 }, (_, index) => `a${index}`).join("&")),
    ];
  });
}
