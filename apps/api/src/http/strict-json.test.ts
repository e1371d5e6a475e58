import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { InvalidJsonError, parseStrictJson } from "./strict-json.ts";

const parse = (text: string) => parseStrictJson(Buffer.from(text));

describe("strict JSON", () => {
  test("reads whatever JSON.parse reads when no name is repeated", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['{"a":1,"a":2}'],
    ['{"data":{"attributes":{"tags":[]},"attributes":{}}}'],
    ['{"a":[{"b":1, "b" : 2}]}'],
    ['{"a":1,"\\u0061":2}'],
    ["{"],
    [""],
    ["{'a':1}"],
  ])("refuses %s", (text) => {
    expect(() => parse(text)).toThrow(InvalidJsonError);
  });

  test("a name may come again in another object, and as a value", () => {
    expect(parse('{"a":{"a":"a"},"b":[{"a":1},{"a":2}]}')).toEqual({ a: { a: "a" }, b: [{ a: 1 }, { a: 2 }] });
    expect(parse('{"a":"\\"a\\":1","b":"\\\\"}')).toEqual({ a: '"a":1', b: "\\" });
  });

  test("refuses bytes that are no UTF-8", () => {
    expect(() => parseStrictJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(/UTF-8/);
  });

  test("reads __proto__ as an ordinary name and changes no prototype", () => {
    const value = parse('{"__proto__":{"admin":true}}') as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});
