import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { findSubscriptions } from "./notification-writer.ts";

const database = started(() => openTestDatabase({ applicationName: "notification-writer-test" }));

async function accountWith(features: string[], subscriptions: readonly string[][]): Promise<string> {
  const accountId = uuidV7.next();
  const now = "2026-11-21T10:00:00.000Z";
  await database.prisma.account.create({ data: { id: accountId, companyName: "Harbour", features, createdAt: now } });
  const common = { accountId, url: "https://example.com/hook", sealedSecret: Buffer.from("x"), createdAt: now };
  await database.prisma.webhook.createMany({
    data: subscriptions.map((events) => ({ ...common, id: uuidV7.next(), events, updatedAt: now })),
  });
  return accountId;
}

test("notifies events of a paid feature only in accounts that have it, whatever the pattern", async () => {
  const patterns = [["*"], ["container.*"], ["container.pickup_lfd_rail.changed"]];
  const subscribersOf = async (
    features: string[],
    event: "container.pickup_lfd_rail.changed" | "container.updated",
  ) => {
    const accountId = await accountWith(features, patterns);
    const lookups = [database.sql, database.tenantSql].map((sql) => findSubscriptions(sql, accountId));
    const [byWorkers, byApi] = (await Promise.all(lookups)).map((all) => all.webhookIdsFor(event).length);
    expect(byApi).toBe(byWorkers);
    return byWorkers;
  };
  expect(await subscribersOf(["rail_deadlines"], "container.pickup_lfd_rail.changed")).toBe(3);
  expect(await subscribersOf(["container_route"], "container.pickup_lfd_rail.changed")).toBe(0);
  expect(await subscribersOf([], "container.updated")).toBe(2);
});
