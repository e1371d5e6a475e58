import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { verifyPassword } from "../sessions/password.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { seedDemoAccount } from "./demo-account.ts";

const database = started(openTestDatabase);

const demo = {
  token: "svc_live_first",
  email: "owner@demo.test",
  password: "kite harbour lamp",
  now: new Date("2026-11-21"),
};

describe("the demo account", () => {
  test("changes nothing in a second run, and adds another token and password to the same account", async () => {
    await seedDemoAccount(database, demo);
    const user = await database.prisma.user.findFirstOrThrow();
    await seedDemoAccount(database, demo);
    expect(await database.prisma.user.findFirstOrThrow()).toEqual(user);
    await seedDemoAccount(database, { ...demo, token: "svc_live_second", password: "another" });
    const tokens = await database.prisma.apiToken.findMany();
    expect(new Set(tokens.map((token) => token.accountId)).size).toBe(1);
    // It is the user of the tracking requests that the tokens create.
    expect(tokens.map((token) => token.createdByUserId)).toEqual([user.id, user.id]);
    expect(tokens.map((token) => token.hint).sort()).toEqual(["cond", "irst"]);
    const changed = await database.prisma.user.findFirstOrThrow();
    expect(await verifyPassword("another", changed.passwordHash)).toBe(true);
  });

  test("does not store the token itself", async () => {
    const [row] = await database.prisma.apiToken.findMany({ where: { hint: "irst" } });
    expect(JSON.stringify(row)).not.toContain(demo.token);
  });
});
