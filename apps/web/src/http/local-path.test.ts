import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { localPath } from "./local-path.ts";

describe("redirects after the login", () => {
  test.each([
    `/shipments/find?q=${"%F0%9F%9A%A2".repeat(100)}`,
    "/shipments",
    "/shipments/find?q=MSCU%201234567",
    "/shipments/a?container=b#c",
  ])("%s is local", (path) => {
    expect(localPath(path, "/home")).toBe(path);
  });

  test.each([
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/%2e%2e//evil.example",
    "javascript:alert(1)",
    "shipments",
    "",
    `/${"a".repeat(4_000)}`,
    undefined,
    ["/shipments"],
  ])("%j is not", (path) => {
    expect(localPath(path, "/home")).toBe("/home");
  });

  test("no text redirects to another origin", () => {
    const nasty = fc.string({ unit: fc.constantFrom("/", "\\", ".", "%2e", "@", ":", "e", "\t", "?", "#", " ") });
    fc.assert(
      fc.property(nasty, (text) => {
        const path = localPath(`/${text}`, "/home");
        expect(new URL(path, "https://app.example").origin).toBe("https://app.example");
        expect(path).toMatch(/^\/(?!\/)/);
      }),
      { numRuns: 2_000 },
    );
  });
});
