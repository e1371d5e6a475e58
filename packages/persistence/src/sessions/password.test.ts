import { describe, expect, test } from "@jest/globals";
import { hashPassword, verifyPassword } from "./password.ts";

describe("passwords", () => {
  test("accepts the right password and rejects a wrong one", async () => {
    const stored = await hashPassword("kite harbour lamp");
    expect(await verifyPassword("kite harbour lamp", stored)).toBe(true);
    expect(await verifyPassword("kite harbour lamP", stored)).toBe(false);
    expect(await verifyPassword("", stored)).toBe(false);
  });

  test("stores the same password differently each time, without its text", async () => {
    const [one, other] = await Promise.all([hashPassword("kite"), hashPassword("kite")]);
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(one).not.toContain("kite");
  });

  test("treats composed and decomposed letters as equal", async () => {
    expect(await verifyPassword("cafe\u0301", await hashPassword("caf\u00e9"))).toBe(true);
  });

  test("verifies a hash with other cost parameters", async () => {
    const weaker = "scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA$";
    await expect(verifyPassword("x", weaker)).rejects.toThrow("unknown form");
    const { scryptSync } = await import("node:crypto");
    const salt = Buffer.from("c2FsdHNhbHRzYWx0c2FsdA", "base64url");
    const hash = scryptSync("x", salt, 32, { N: 1024, r: 8, p: 1 }).toString("base64url");
    expect(await verifyPassword("x", weaker + hash)).toBe(true);
  });

  test("rejects a text that is not a hash", async () => {
    await expect(verifyPassword("x", "plain")).rejects.toThrow("unknown form");
  });
});
