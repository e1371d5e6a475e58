import { describe, expect, test } from "@jest/globals";
import { createLoginLimits } from "./login-limits.ts";

function limits() {
  let now = 1_000_000;
  return { ...createLoginLimits(() => now), pass: (ms: number) => (now += ms) };
}

describe("limits of the login", () => {
  test("ten attempts for one user, from wherever, then a wait of a quarter of an hour", () => {
    const { begin, pass } = limits();
    for (let attempt = 0; attempt < 10; attempt++) expect(begin(`10.0.0.${attempt}`, "anna@example.test")).toBeNull();
    expect(begin("10.0.1.1", "ANNA@example.test")).toBe(900);
    expect(begin("10.0.1.1", "other@example.test")).toBeNull();
    pass(15 * 60_000);
    expect(begin("10.0.1.1", "anna@example.test")).toBeNull();
  });

  test("twenty attempts from one address, for whomever", () => {
    const { begin } = limits();
    for (let attempt = 0; attempt < 20; attempt++) expect(begin("10.0.0.1", `user${attempt}@example.test`)).toBeNull();
    expect(begin("10.0.0.1", "user99@example.test")).toBe(900);
    expect(begin("10.0.0.2", "user99@example.test")).toBeNull();
  });

  test("who gets in starts anew, and does not clear what others of the address did", () => {
    const { begin, succeed } = limits();
    for (let attempt = 0; attempt < 9; attempt++) begin("10.0.0.1", "anna@example.test");
    expect(begin("10.0.0.1", "anna@example.test")).toBeNull();
    succeed("10.0.0.1", "anna@example.test");
    for (let attempt = 0; attempt < 10; attempt++) expect(begin("10.0.0.1", "anna@example.test")).toBeNull();
    expect(begin("10.0.0.1", "bert@example.test")).toBeNull();
    expect(begin("10.0.0.1", "carl@example.test")).toBe(900);
  });
});
