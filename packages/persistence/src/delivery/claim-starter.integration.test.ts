import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import type { Sql } from "../sql.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { DeliveryAttempt } from "./attempt.ts";
import type { Claim } from "./claim.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { createClaimStarter } from "./claim-starter.ts";

const leaseMs = 60_000;

const database = started(() => openTestDatabase({ applicationName: "taking", plans: "by_index_in_turn" }));
const fixture = started(() => createDeliveryFixture(database.url));

/** Claims with three deliveries each, of webhooks with distinct URLs. */
async function claimFor(webhookCount: number): Promise<Claim[]> {
  const ids: string[] = [];
  for (let number = 0; number < webhookCount; number += 1) {
    const url = `https://receiver.example/${number}`;
    ids.push(await fixture.addWebhook({ url }));
  }
  await fixture.addNotifications(ids, 3);
  const limits = { budget: { fast: 500, slow: 0 }, webhookLimit: { fast: 50, slow: 0 }, leaseMs };
  return [...(await claimDeliveries(database, { after: null, ...limits })).claims];
}

/** The database's statements, counted. */
function counted(sql: Sql): { readonly sql: Sql; count(): number } {
  let count = 0;
  return {
    count: () => count,
    sql: {
      ...sql,
      rows: (statement, values) => {
        count += 1;
        return sql.rows(statement, values);
      },
    },
  };
}

const idsOf = (attempts: readonly DeliveryAttempt[]) => attempts.map(({ notificationId }) => notificationId).toSorted();

test("starts concurrent claims with one statement, each with its own deliveries and target", async () => {
  const claims = await claimFor(20);
  expect(claims).toHaveLength(20);
  const watched = counted(database.sql);
  const starter = createClaimStarter(watched.sql, leaseMs);
  const attempts = await Promise.all(claims.map((claim) => starter.start(claim)));
  expect(watched.count()).toBe(1);
  expect(attempts.map(idsOf)).toEqual(claims.map(({ notificationIds }) => notificationIds.toSorted()));
  expect(new Set(attempts.map(([first]) => first?.target.url)).size).toBe(20);
  const { rows } = await database.pool.query<{ id: string; url: string }>("SELECT id, url FROM webhooks");
  const urls = new Map(rows.map(({ id, url }) => [id, url]));
  for (const [place, deliveries] of attempts.entries()) {
    for (const delivery of deliveries) {
      expect(delivery.webhookId).toBe(claims[place]?.webhookId);
      expect(delivery.target.url).toBe(urls.get(delivery.webhookId));
      expect(delivery.claimSize).toBe(3);
    }
  }
});

test("starts a claim once, also with other claims in the batch", async () => {
  const claims = await claimFor(8);
  const takers = [createClaimStarter(database.sql, leaseMs), createClaimStarter(database.sql, leaseMs)];
  const requested = [...claims, ...claims.toReversed(), ...claims];
  const attempts = await Promise.all(takers.flatMap((starter) => requested.map((claim) => starter.start(claim))));
  expect(idsOf(attempts.flat())).toEqual(claims.flatMap(({ notificationIds }) => notificationIds).toSorted());
});

test("starts the other claims when one is lost or its webhook paused", async () => {
  const claims = await claimFor(4);
  const [lost, paused, ...others] = claims as [Claim, Claim, ...Claim[]];
  await database.pool.query("DELETE FROM webhook_claims WHERE id = $1", [lost.claimId]);
  await fixture.updateWebhook(paused.webhookId, { paused: true });
  const unknown = { accountId: randomUUID(), claimId: randomUUID() };
  const starter = createClaimStarter(database.sql, leaseMs);
  const attempts = await Promise.all([unknown, lost, paused, ...others].map((claim) => starter.start(claim)));
  expect(attempts.slice(0, 3)).toEqual([[], [], []]);
  expect(attempts.slice(3).map(idsOf)).toEqual(others.map(({ notificationIds }) => notificationIds.toSorted()));
});

test("rejects every claim of a failed batch, and starts later ones", async () => {
  const claims = await claimFor(3);
  const starter = createClaimStarter(database.sql, leaseMs);
  const takeAll = () => Promise.allSettled(claims.map((claim) => starter.start(claim)));
  await database.pool.query("ALTER TABLE webhook_claims RENAME TO hidden_claims");
  const refused = await takeAll();
  await database.pool.query("ALTER TABLE hidden_claims RENAME TO webhook_claims");
  expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  const attempts = await takeAll();
  expect(attempts.flatMap((one) => (one.status === "fulfilled" ? one.value : []))).toHaveLength(9);
});
