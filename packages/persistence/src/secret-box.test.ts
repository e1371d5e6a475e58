import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { createSecretBox } from "./secret-box.ts";

const key = randomBytes(32).toString("base64");

describe("secrets at rest", () => {
  test("decrypts to the same text, and encrypts differently each time", () => {
    const box = createSecretBox(key);
    expect(box.open(box.seal("whsec_ä"))).toBe("whsec_ä");
    expect(box.seal("x").equals(box.seal("x"))).toBe(false);
  });
  test("rejects changed bytes and another key", () => {
    const sealed = createSecretBox(key).seal("whsec_x");
    expect(() => createSecretBox(randomBytes(32).toString("base64")).open(sealed)).toThrow();
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => createSecretBox(key).open(sealed)).toThrow();
  });
  test("encrypts with the first of several keys, and decrypts with each", () => {
    const former = randomBytes(32).toString("base64");
    const sealed = createSecretBox(former).seal("whsec_x");
    const both = createSecretBox(`${key},${former}`);
    expect([both.open(sealed), both.hasFormerKeys, createSecretBox(key).hasFormerKeys]).toEqual([
      "whsec_x",
      true,
      false,
    ]);
    expect(createSecretBox(key).open(both.seal("whsec_y"))).toBe("whsec_y");
    const resealed = both.reseal(sealed) ?? Buffer.alloc(0);
    expect(createSecretBox(key).open(resealed)).toBe("whsec_x");
    expect(both.reseal(resealed)).toBeNull();
    expect(() => both.reseal(randomBytes(60))).toThrow();
  });
  test.each(["c2hvcnQ=", `${key},`, `${key},c2hvcnQ=`, ""])("rejects keys of the wrong length: %s", (keys) => {
    expect(() => createSecretBox(keys)).toThrow(RangeError);
  });
});
