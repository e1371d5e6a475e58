import { describe, expect, test } from "@jest/globals";
import { createLoginLimits } from "./login-limits.ts";

function limits() {
  let now = 1_000_000;
  return { ...createLoginLimits(() => now), pass: (ms: number) => (now += ms) };
}

describe("limits of the login", () => {
  test("allows ten attempts per user from any address, then requires a wait of 15 minutes", () => {
    const { begin, pass } = limits();
    for (let attempt = 0; attempt < 10; attempt++) expect(begin(`10.0.0.${attempt}`, "anna@example.test")).toBeNull();
    expect(begin("10.0.1.1", "ANNA@example.test")).toBe(900);
    expect(begin("10.0.1.1", "other@example.test")).toBeNull();
    pass(15 * 60_000);
    expect(begin("10.0.1.1", "anna@example.test")).toBeNull();
  });

  test("allows twenty attempts per address for any user", () => {
    const { begin } = limits();
    for (let attempt = 0; attempt < 20; attempt++) expect(begin("10.0.0.1", `user${attempt}@example.test`)).toBeNull();
    expect(begin("10.0.0.1", "user99@example.test")).toBe(900);
    expect(begin("10.0.0.2", "user99@example.test")).toBeNull();
  });

  test("counts an IPv6 network as one address and an IPv4-mapped address as IPv4", () => {
    const { begin } = limits();
    const spellings = (host: number) => [
      `2001:db8:0:7::${host}`,
      `2001:0DB8:0000:7:a:b:c:${host}`,
      `2001:db8:0:7::1:${host}%eth0`,
    ];
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(begin(spellings(attempt)[attempt % 3] ?? "", `user${attempt}@example.test`)).toBeNull();
    }
    expect(begin("2001:db8:0:7:ffff::", "other@example.test")).toBe(900);
    for (const elsewhere of ["2001:db8:0:8::1", "2001:db8::7", "::1"]) {
      expect(begin(elsewhere, `${elsewhere}@example.test`)).toBeNull();
    }
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(begin(attempt % 2 ? "::ffff:10.0.0.1" : "10.0.0.1", `four${attempt}@example.test`)).toBeNull();
    }
    expect(begin("10.0.0.1", "four@example.test")).toBe(900);
    expect(begin("::ffff:10.0.0.2", "four@example.test")).toBeNull();
  });

  test("keeps blocked users when full and evicts those who are not blocked", () => {
    const { begin } = limits();
    for (let attempt = 0; attempt < 10; attempt++) begin(`10.0.0.${attempt}`, "anna@example.test");
    begin("10.0.1.1", "bert@example.test");
    // Refused attempts also take up entries.
    for (let attempt = 0; attempt < 20; attempt++) begin("10.0.1.2", `user${attempt}@example.test`);
    for (let other = 0; other < 40_000; other++) {
      expect(begin("10.0.1.2", `other${other}@example.test`)).not.toBeNull();
    }
    expect(begin("10.0.2.1", "anna@example.test")).not.toBeNull();
    for (let attempt = 0; attempt < 10; attempt++) expect(begin(`10.0.3.${attempt}`, "bert@example.test")).toBeNull();
  });

  test("resets the attempts of a user who signs in, but not those of others at the address", () => {
    const { begin, succeed } = limits();
    for (let attempt = 0; attempt < 9; attempt++) begin("10.0.0.1", "anna@example.test");
    expect(begin("10.0.0.1", "anna@example.test")).toBeNull();
    succeed("10.0.0.1", "anna@example.test");
    for (let attempt = 0; attempt < 10; attempt++) expect(begin("10.0.0.1", "anna@example.test")).toBeNull();
    expect(begin("10.0.0.1", "bert@example.test")).toBeNull();
    expect(begin("10.0.0.1", "carl@example.test")).toBe(900);
  });
});
