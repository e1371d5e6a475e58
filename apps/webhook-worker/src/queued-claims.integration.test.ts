import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  claimDeliveries,
  connectDatabase,
  createClaimTaker,
  type Database,
  type DeliveryClaim,
} from "@svc/persistence";
import { createDeliveryFixture, createTestDatabase, type DeliveryFixture, eventually } from "@svc/testkit";
import { createQueuedClaims } from "./queued-claims.ts";

const migrations = fileURLToPath(new URL("../../../packages/persistence/prisma/migrations", import.meta.url));
const leaseMs = 60_000;
const generation = "one";

let fixture: DeliveryFixture;
let database: Database;

beforeAll(async () => {
  const url = await createTestDatabase(migrations);
  fixture = await createDeliveryFixture(url);
  database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await fixture.close();
});

const isLong = async () => false;

/** Of one delivery each. */
async function claims(count: number): Promise<readonly DeliveryClaim[]> {
  const sealedSecret = randomBytes(40);
  const url = "https://receiver.example/";
  const webhookIds = await Promise.all(Array.from({ length: count }, () => fixture.addWebhook({ url, sealedSecret })));
  await fixture.addNotifications(webhookIds, 1);
  const limits = { budget: { fast: 100, slow: 0 }, webhookLimit: { fast: 10, slow: 0 }, leaseMs };
  return (await claimDeliveries(database, { after: null, ...limits })).claims;
}

test("what another process has taken no longer counts, as soon as it is known that there is another", async () => {
  const queued = createQueuedClaims(database, leaseMs);
  const other = createClaimTaker(database.sql, leaseMs);
  const [first, ...rest] = await claims(4);
  for (const claim of [first, ...rest]) if (claim) queued.add(claim, generation);
  if (first) await other.take(first);
  expect([await queued.forgetTaken(), queued.count("fast")]).toEqual([false, 4]);
  await eventually("the leases are renewed", async () => {
    await queued.keep(generation, isLong);
    return queued.count("fast") === 3;
  });
  const [second, third] = rest;
  for (const claim of [second, third]) if (claim) await other.take(claim);
  expect([await queued.forgetTaken(), queued.count("fast")]).toEqual([true, 1]);
  expect([await queued.forgetTaken(), queued.count("fast")]).toEqual([false, 1]);
  // Those of this process itself cannot be taken by others, so nobody is asked about them.
  for (const claim of await claims(1)) queued.add(claim, null);
  expect([await queued.forgetTaken(), queued.count("fast")]).toEqual([false, 2]);
  await queued.releaseAll();
  const { rows } = await fixture.pool.query<{ id: string }>("SELECT id FROM webhook_claims WHERE begun_at IS NULL");
  expect(rows).toEqual([]);
});

test("a claim is overdue once one has been taken that was queued a second later, or the queue has long been empty", async () => {
  const queued = createQueuedClaims(database, leaseMs);
  const [first, second, third] = (await claims(3)) as [DeliveryClaim, DeliveryClaim, DeliveryClaim];
  const idsOverdue = async (isEmpty: () => Promise<boolean>) =>
    (await queued.keep(generation, isEmpty)).overdue.map(({ claimId }) => claimId);
  queued.add(first, generation);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  queued.add(second, generation);
  queued.add(third, generation);
  expect(await idsOverdue(isLong)).toEqual([]);
  queued.taken(second.claimId);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await idsOverdue(isLong)).toEqual([first.claimId]);
  // As the dispatcher does with it.
  queued.add(first, null);
  const ids: string[] = [];
  await eventually("the queue has been empty for long", async () => {
    ids.push(...(await idsOverdue(async () => true)));
    return ids.length > 0;
  });
  expect(ids).toEqual([third.claimId]);
  await queued.releaseAll();
});

test("what the queue's store lost is handed back", async () => {
  const queued = createQueuedClaims(database, leaseMs);
  for (const claim of await claims(2)) queued.add(claim, generation);
  expect(await queued.keep("another", isLong)).toEqual({ handedBack: true, overdue: [] });
  expect(queued.count("fast")).toBe(0);
});
