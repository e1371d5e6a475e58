import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { createSecretBox } from "./secret-box.ts";

const key = randomBytes(32).toString("base64");

describe("secrets at rest", () => {
  test("what was sealed opens to the same text, and no two seals are alike", () => {
    const box = createSecretBox(key);
    expect(box.open(box.seal("whsec_ä"))).toBe("whsec_ä");
    expect(box.seal("x").equals(box.seal("x"))).toBe(false);
  });
  test("changed bytes and another key are refused", () => {
    const sealed = createSecretBox(key).seal("whsec_x");
    expect(() => createSecretBox(randomBytes(32).toString("base64")).open(sealed)).toThrow();
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => createSecretBox(key).open(sealed)).toThrow();
  });
  test("a key of the wrong length is refused", () => {
    expect(() => createSecretBox("c2hvcnQ=")).toThrow(RangeError);
  });
});
