import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import type { Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

type Spoil = (valid: string, random: Random) => string | Uint8Array;

const insertAt = (text: string, index: number, inserted: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(text.slice(0, index)), inserted, Buffer.from(text.slice(index))]);

/**
 * Bytes that are no UTF-8: a lone continuation, cut sequences, overlong forms, an encoded surrogate, beyond U+10FFFF.
 */
const notUtf8 = ["80", "c3", "e2 82", "f0 9f 98", "c0 af", "e0 80 af", "ed a0 80", "f4 90 80 80", "ff", "fe ff"];

const spoils: Readonly<Record<string, Spoil>> = {
  "cut off": (valid, random) => valid.slice(0, 1 + random.below(valid.length - 1)),
  "cut off early": (valid, random) => valid.slice(0, 1 + random.below(8)),
  "white space": () => " \n\t ",
  "a trailing comma": (valid) => valid.replace(/\}$/, ",}"),
  "single quotes": (valid) => valid.replaceAll('"', "'"),
  "bare names": (valid) => valid.replaceAll(/"(\w+)":/g, "$1:"),
  "a comment": (valid) => `/* x */${valid}`,
  "two documents": (valid) => `${valid}${valid}`,
  "something after it": (valid, random) => `${valid}${random.pick(["x", "}", "]", ",", "\u0000", "0"])}`,
  NaN: (valid) => valid.replace(/"[^"]*"(?=[,}\]])/, "NaN"),
  Infinity: (valid) => valid.replace(/"[^"]*"(?=[,}\]])/, "-Infinity"),
  "a hexadecimal number": (valid) => valid.replace(/"[^"]*"(?=[,}\]])/, "0x1F"),
  "a leading zero": (valid) => valid.replace(/"[^"]*"(?=[,}\]])/, "007"),
  undefined: (valid) => valid.replace(/"[^"]*"(?=[,}\]])/, "undefined"),
  "a wrong escape": (valid) => valid.replace(/"(?=[,}\]])/, '\\x41"'),
  "a cut unicode escape": (valid) => valid.replace(/"(?=[,}\]])/, '\\u12"'),
  "a raw control character": (valid, random) =>
    valid.replace(/"(?=[,}\]])/, `${random.pick(["\u0000", "\n", "\u001f"])}"`),
  "a NUL before it": (valid) => `\u0000${valid}`,
  "NUL bytes only": (_valid, random) => new Uint8Array(1 + random.below(64)),
  "no UTF-8 inside": (valid, random) =>
    insertAt(valid, valid.lastIndexOf('"'), Buffer.from(random.pick(notUtf8).replaceAll(" ", ""), "hex")),
  "UTF-16": (valid) => Buffer.from(valid, "utf16le"),
  "UTF-16 with a mark": (valid) => Buffer.from(`\ufeff${valid}`, "utf16le"),
  "random bytes": (_valid, random) => Uint8Array.from({ length: 1 + random.below(200) }, () => 128 + random.below(128)),
  "an open array, very deep": () => "[".repeat(100_000),
  "an open object, very deep": () => '{"a":'.repeat(50_000),
  "a name twice": (valid) => valid.replace(/^\{/, '{"twice":1,"twice":2,'),
  "a name twice, once escaped": (valid) => valid.replace(/^\{/, '{"twice":1,"tw\\u0069ce":2,'),
  "a name twice, deep inside": (valid) => valid.replace(/^\{/, '{"meta":[{"x":{"y":1,"z":[],"y":2}}],'),
  "__proto__ twice": (valid) => valid.replace(/^\{/, '{"__proto__":1,"__proto__":2,'),
  XML: () => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
  "a form": () => "data[attributes][tags][]=x",
  "an array instead": (valid) => `[${valid}]`,
  "a text instead": (valid) => JSON.stringify(valid),
  "a number instead": (_valid, random) => random.pick(["0", "-1", "1e400", "9".repeat(10_000)]),
  "null instead": () => "null",
  "true instead": () => "true",
  "an array, very deep": () => `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
};

/** Bodies that are no JSON, or no JSON object. */
export function syntaxCases(operations: readonly Operation[], random: Random, token: string): FuzzCase[] {
  return operations.flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    const valid = JSON.stringify(body.valid);
    return Object.entries(spoils).map(
      ([name, spoil]): FuzzCase => ({
        name: `${operation.id}, body: ${name}`,
        request: requestFor(operation, token, { body: spoil(valid, random) }),
        expected: "refused",
        statuses: [400],
      }),
    );
  });
}
