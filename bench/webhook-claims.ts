import { connectDatabase } from "@svc/persistence";
import { type Claim, claimDeliveries, holdDeliveries, releaseClaims } from "@svc/persistence/delivery";
import type { Comparison, Rate } from "./rounds.ts";
import { type BenchStores, startWebhookHarness, type WebhookHarness } from "./webhook-harness.ts";

const paused = { webhooks: 10_000, deliveriesEach: 100 };
const busy = { webhooks: 100, deliveriesEach: 1_000 };
const rounds = 5;
const claimsEachRound = 40;

/** Rows alone: a claim reads nothing of their notifications. */
async function addBacklog({ fixture }: WebhookHarness, { webhooks, deliveriesEach }: typeof paused, isPaused: boolean) {
  await fixture.pool.query(
    `WITH webhook AS (
       INSERT INTO webhooks (account_id, id, url, events, sealed_secret, headers, created_at, updated_at, paused,
         concurrency)
       SELECT $1, gen_random_uuid(), 'https://receiver.example', '{*}', '', '[]', now(), now(), $4, 1000000
         FROM generate_series(1, $2::int) RETURNING id)
     INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, next_attempt_at, created_at)
     SELECT $1, gen_random_uuid(), webhook.id, gen_random_uuid(), now(), now()
       FROM webhook, generate_series(1, $3::int)`,
    [fixture.accountId, webhooks, deliveriesEach, isPaused],
  );
  await fixture.pool.query("VACUUM ANALYZE webhook_deliveries, webhooks");
}

/**
 * Measures the throughput of one claimer by itself, and the cost of a claim beside 10,000 paused webhooks with 100
 * deliveries each. Neither sends anything.
 */
export async function benchmarkWebhookClaims(stores: BenchStores): Promise<(Comparison | Rate)[]> {
  const harness = await startWebhookHarness(stores);
  const database = connectDatabase({
    url: harness.databaseUrl,
    applicationName: "bench",
    plans: "by_index_in_turn",
    onIdleError: () => undefined,
  });
  const claim = (fast: number) =>
    claimDeliveries(database, {
      after: null,
      budget: { fast, slow: 0 },
      webhookLimit: { fast: 1_000_000, slow: 0 },
      leaseMs: 600_000,
    });
  const claimMs = async () => {
    const startedAtMs = performance.now();
    for (let index = 0; index < claimsEachRound; index += 1) {
      const { claims } = await claim(50);
      await releaseClaims(database.sql, claims);
    }
    return (performance.now() - startedAtMs) / claimsEachRound;
  };

  /** Completes claims, which is not measured: other connections record the outcomes. */
  const deliver = async (claims: readonly Claim[]) => {
    const ids = claims.flatMap(({ notificationIds }) => notificationIds);
    await harness.fixture.pool.query(
      "DELETE FROM webhook_deliveries WHERE account_id = $1 AND notification_id = ANY ($2)",
      [harness.fixture.accountId, ids],
    );
    await harness.fixture.pool.query("DELETE FROM webhook_claims WHERE account_id = $1", [harness.fixture.accountId]);
  };

  await addBacklog(harness, busy, false);
  await claimMs();
  const without: number[] = [];
  for (let round = 0; round < rounds; round += 1) without.push(await claimMs());
  await addBacklog(harness, paused, true);
  const beforePauseMs = await claimMs();
  const startedAtMs = performance.now();
  while ((await holdDeliveries(database.sql)) > 0);
  const pauseMs = performance.now() - startedAtMs;
  await harness.fixture.pool.query("VACUUM webhook_deliveries");
  await claimMs();
  const beside: number[] = [];
  for (let round = 0; round < rounds; round += 1) beside.push(await claimMs());

  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let tookMs = 0;
    let claimed = 0;
    while (claimed < 15_000) {
      const startedAtMs = performance.now();
      const { claims } = await claim(1_000);
      tookMs += performance.now() - startedAtMs;
      claimed += claims.reduce((sum, { notificationIds }) => sum + notificationIds.length, 0);
      await deliver(claims);
    }
    perSecond.push((claimed * 1_000) / tookMs);
  }
  await database.close();
  await harness.stop();
  return [
    {
      name: "a claim beside 10,000 paused webhooks of 100 deliveries, and without them",
      unit: "ms",
      rounds: beside.map((ours, round) => ({ ours, bare: without[round] ?? Number.NaN })),
      aim: { of: "ratio", atMost: 1.2 },
    },
    {
      name: "one claimer",
      unit: "deliveries/s",
      rates: perSecond,
      note: `1,000,000 deliveries held in ${Math.round(pauseMs / 1_000)} s; before that a claim took ${beforePauseMs.toFixed(1)} ms`,
      aim: { atLeast: 20_000 },
    },
  ];
}
