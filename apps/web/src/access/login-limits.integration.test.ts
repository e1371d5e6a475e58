import { beforeAll, describe, expect, test } from "@jest/globals";
import { connectDatabase } from "@svc/persistence";
import { createTestDatabase } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createLoginLimits } from "./login-limits.ts";

let url: string;
let tests = 0;

const connect = () => connectDatabase({ url, applicationName: "login-limits", onIdleError: () => undefined });

beforeAll(async () => {
  url = await createTestDatabase();
});
const database = started(() => connect());

/** Limits, with addresses and users that no other test uses. */
function limits(what: Parameters<typeof createLoginLimits>[1] = "password", store = database) {
  const own = `10.${++tests}`;
  const user = (name: string) => `${name}@test-${tests}.example`;
  return { ...createLoginLimits(store, what), at: (host: string) => `${own}.${host}`, user };
}
const endWindows = () => database.pool.query("UPDATE sign_in_attempts SET until = now() - interval '1 second'");

describe("limits of the login", () => {
  test("allows ten attempts per user from any address, then requires a wait of 15 minutes", async () => {
    const { begin, at, user } = limits();
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await begin(at(`0.${attempt}`), user("anna"))).toBeNull();
    }
    const wait = await begin(at("1.1"), user("ANNA"));
    expect(wait).toBeGreaterThan(800);
    expect(wait).toBeLessThanOrEqual(900);
    expect(await begin(at("1.1"), user("other"))).toBeNull();
    await endWindows();
    expect(await begin(at("1.1"), user("anna"))).toBeNull();
  });

  test("allows twenty attempts per address for any user", async () => {
    const { begin, at, user } = limits();
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await begin(at("0.1"), user(`user${attempt}`))).toBeNull();
    }
    expect(await begin(at("0.1"), user("user99"))).toBeGreaterThan(0);
    expect(await begin(at("0.2"), user("user99"))).toBeNull();
  });

  test("all processes count together, also attempts at the same time", async () => {
    const one = limits();
    const otherRedis = connect();
    const other = createLoginLimits(otherRedis, "password");
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, attempt) =>
        (attempt % 2 ? one : other).begin(one.at(`0.${attempt}`), one.user("anna")),
      ),
    );
    expect(waits.filter((wait) => wait === null)).toHaveLength(10);
    await otherRedis.close();
  });

  test("passwords, codes and mailed links have counters of their own", async () => {
    const { begin, at, user } = limits("reset");
    for (let attempt = 0; attempt < 3; attempt++) expect(await begin(at("0.1"), user("anna"))).toBeNull();
    expect(await begin(at("0.1"), user("anna"))).not.toBeNull();
    expect(await createLoginLimits(database, "code").begin(at("0.1"), user("anna"))).toBeNull();
  });

  test("returns of a provider are limited by address alone", async () => {
    const { begin, at } = limits("provider");
    for (let attempt = 0; attempt < 60; attempt++) expect(await begin(at("0.1"), "")).toBeNull();
    expect(await begin(at("0.1"), "")).not.toBeNull();
    expect(await begin(at("0.2"), "")).toBeNull();
  });

  test("counts an IPv6 network as one address and an IPv4-mapped address as IPv4", async () => {
    const { begin, user } = limits();
    const spellings = (host: number) => [
      `2001:db8:0:7::${host}`,
      `2001:0DB8:0000:7:a:b:c:${host}`,
      `2001:db8:0:7::1:${host}%eth0`,
    ];
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await begin(spellings(attempt)[attempt % 3] ?? "", user(`user${attempt}`))).toBeNull();
    }
    expect(await begin("2001:db8:0:7:ffff::", user("other"))).not.toBeNull();
    for (const otherAddress of ["2001:db8:0:8::1", "2001:db8::7", "::1"]) {
      expect(await begin(otherAddress, user(otherAddress))).toBeNull();
    }
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await begin(attempt % 2 ? "::ffff:10.250.0.1" : "10.250.0.1", user(`four${attempt}`))).toBeNull();
    }
    expect(await begin("10.250.0.1", user("four"))).not.toBeNull();
    expect(await begin("::ffff:10.250.0.2", user("four"))).toBeNull();
  });

  test("attempts that an address may not make write nothing, and ended windows are removed", async () => {
    const { begin, at, user } = limits();
    for (let attempt = 0; attempt < 20; attempt++) await begin(at("0.1"), user(`user${attempt}`));
    const rows = async () => (await database.pool.query("SELECT ctid, xmin FROM sign_in_attempts ORDER BY ctid")).rows;
    const before = await rows();
    for (let other = 0; other < 50; other++) expect(await begin(at("0.1"), user(`other${other}`))).not.toBeNull();
    expect(await rows()).toEqual(before);
    await endWindows();
    await begin(at("0.2"), user("anna"));
    await begin(at("0.2"), user("anna"));
    expect(await rows()).toHaveLength(2);
  });

  test("resets the attempts of a user who signs in, but not those of others at the address", async () => {
    const { begin, succeed, at, user } = limits();
    for (let attempt = 0; attempt < 10; attempt++) expect(await begin(at("0.1"), user("anna"))).toBeNull();
    await succeed(at("0.1"), user("anna"));
    for (let attempt = 0; attempt < 10; attempt++) expect(await begin(at("0.1"), user("anna"))).toBeNull();
    expect(await begin(at("0.1"), user("bert"))).toBeNull();
    expect(await begin(at("0.1"), user("carl"))).not.toBeNull();
  });

  test("an attempt that was not verified does not count", async () => {
    const { begin, cancel, at, user } = limits("reset");
    for (let attempt = 0; attempt < 30; attempt++) {
      expect(await begin(at("0.1"), user("anna"))).toBeNull();
      await cancel(at("0.1"), user("anna"));
    }
  });
});
