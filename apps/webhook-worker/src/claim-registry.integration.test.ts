import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Claim, claimDeliveries, createClaimStarter } from "@svc/persistence/delivery";
import { openTestDatabase } from "@svc/persistence/testing";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createClaimRegistry } from "./claim-registry.ts";

const leaseMs = 60_000;
const generation = "one";

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));

const isLong = async () => false;

/** The clock of the registry. */
let nowMs = 0;
beforeEach(() => {
  performance.now = () => nowMs;
});
afterEach(() => void Reflect.deleteProperty(performance, "now"));
const pass = (ms: number): void => {
  nowMs += ms;
};

/** Creates claims of one delivery each. */
async function claims(count: number): Promise<readonly Claim[]> {
  const sealedSecret = randomBytes(40);
  const url = "https://receiver.example/";
  const webhookIds = await Promise.all(Array.from({ length: count }, () => fixture.addWebhook({ url, sealedSecret })));
  await fixture.addNotifications(webhookIds, 1);
  const limits = { budget: { fast: 100, slow: 0 }, webhookLimit: { fast: 10, slow: 0 }, leaseMs };
  return (await claimDeliveries(database, { after: null, ...limits })).claims;
}

test("stops counting claims that another process has started, once one is known to do so", async () => {
  const registry = createClaimRegistry(database, leaseMs);
  const other = createClaimStarter(database.sql, leaseMs);
  const [first, ...rest] = await claims(4);
  for (const claim of [first, ...rest]) if (claim) registry.add(claim, generation);
  if (first) await other.start(first);
  expect([await registry.removeStarted(), registry.count("fast")]).toEqual([false, 4]);
  pass(1_000);
  await registry.renewQueued(generation, isLong);
  expect(registry.count("fast")).toBe(3);
  const [second, third] = rest;
  for (const claim of [second, third]) if (claim) await other.start(claim);
  expect([await registry.removeStarted(), registry.count("fast")]).toEqual([true, 1]);
  expect([await registry.removeStarted(), registry.count("fast")]).toEqual([false, 1]);
  // Claims that this process delivers itself cannot be started by others, so they are not queried.
  for (const claim of await claims(1)) registry.add(claim, null);
  expect([await registry.removeStarted(), registry.count("fast")]).toEqual([false, 2]);
  await registry.releaseQueued();
  const { rows } = await fixture.pool.query<{ id: string }>("SELECT id FROM webhook_claims WHERE started_at IS NULL");
  expect(rows).toEqual([]);
});

test("reports a claim as overdue when one queued a second later has arrived, or when the queue has long been empty", async () => {
  const registry = createClaimRegistry(database, leaseMs);
  const [first, second, third] = (await claims(3)) as [Claim, Claim, Claim];
  const idsOverdue = async (isEmpty: () => Promise<boolean>) =>
    (await registry.renewQueued(generation, isEmpty)).overdue.map(({ claimId }) => claimId);
  registry.add(first, generation);
  pass(1_100);
  registry.add(second, generation);
  registry.add(third, generation);
  expect(await idsOverdue(isLong)).toEqual([]);
  registry.dequeued(second.claimId);
  pass(1_000);
  expect(await idsOverdue(isLong)).toEqual([first.claimId]);
  // The dispatcher does this with an overdue claim.
  registry.add(first, null);
  pass(950);
  expect(await idsOverdue(async () => true)).toEqual([]);
  pass(950);
  expect(await idsOverdue(async () => true)).toEqual([third.claimId]);
  await registry.releaseQueued();
});

test("releases the claims that the queue's store has lost", async () => {
  const registry = createClaimRegistry(database, leaseMs);
  for (const claim of await claims(2)) registry.add(claim, generation);
  expect(await registry.renewQueued("another", isLong)).toEqual({ hasReleased: true, overdue: [] });
  expect(registry.count("fast")).toBe(0);
});
