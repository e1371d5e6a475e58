import { expect, test } from "@jest/globals";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { Claim } from "./claim.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { reclaimExpiredLeases } from "./claim-leases.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import { startClaims } from "./start-claims.ts";
import { outcomeOf } from "./testing/attempt-outcome.ts";

const leaseMs = 60_000;

const database = started(() => openTestDatabase({ applicationName: "sweeping", plans: "by_index_in_turn" }));
const fixture = started(() => createDeliveryFixture(database.url));

async function claimed(count: number): Promise<Claim> {
  const id = await fixture.addWebhook();
  await fixture.addNotifications(id, count);
  const limits = { budget: { fast: 100, slow: 0 }, webhookLimit: { fast: 50, slow: 0 }, leaseMs };
  const [claim] = (await claimDeliveries(database, { after: null, ...limits })).claims;
  if (!claim) throw new Error("Nothing was claimed.");
  return claim;
}

test("redelivers only the unsettled deliveries of a lost worker", async () => {
  const claim = await claimed(5);
  const attempts = await startClaims(database.sql, [claim], leaseMs);
  const received = attempts.slice(0, 2).map((one) => outcomeOf(one, { kind: "succeeded" }));
  await settleOutcomes(database, received, [], () => "[]");
  await claimed(4);
  await fixture.pool.query("UPDATE webhook_claims SET lease_until = now() - interval '1 second'");
  expect(await reclaimExpiredLeases(database)).toEqual({ queued: 4, inFlight: 3, hasMore: false });
  const { rows } = await fixture.pool.query<{ outcome: string; count: number }>(
    "SELECT outcome, count(*)::int FROM webhook_attempts GROUP BY 1 ORDER BY 1",
  );
  expect(rows).toEqual([
    { outcome: "succeeded", count: 2 },
    { outcome: "unknown", count: 3 },
  ]);
  expect(await database.prisma.webhookDelivery.count({ where: { claimId: null } })).toBe(7);
  expect(await reclaimExpiredLeases(database)).toEqual({ queued: 0, inFlight: 0, hasMore: false });
});
