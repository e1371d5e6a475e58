import { test } from "@jest/globals";
import type { Claim } from "@svc/persistence/delivery";
import { openTestDatabase } from "@svc/persistence/testing";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { createClaimRegistry } from "./claim-registry.ts";
import { startRelay } from "./relay.ts";
import { createRelaySignals } from "./relay-signals.ts";

const leaseMs = 600_000;

test("claims immediately, not at the next poll, when an endpoint gets capacity during a round", async () => {
  const database = await openTestDatabase();
  const fixture = await createDeliveryFixture(database.url);
  const [webhookId, paid] = [await fixture.addWebhook(), await fixture.addWebhook()];
  await fixture.updateWebhook(webhookId, { concurrency: 1 });
  await fixture.updateWebhook(paid, { rateLimit: 10_000 });
  const [sending, waiting] = await fixture.addNotifications(webhookId, 2);
  await fixture.addNotifications(paid, 1);
  await fixture.pool.query(
    `WITH held AS (
       INSERT INTO webhook_claims (account_id, id, webhook_id, notification_ids, lease_until)
       VALUES ($1, gen_random_uuid(), $2, ARRAY[$3::uuid], now() + interval '1 hour') RETURNING id)
     UPDATE webhook_deliveries SET claim_id = held.id FROM held WHERE notification_id = $3`,
    [fixture.accountId, webhookId, sending],
  );

  // The end of the round stores the rate limit state of the other webhook, and waits for this lock.
  const gate = await fixture.pool.connect();
  await gate.query("BEGIN");
  await gate.query("SELECT FROM webhooks WHERE id = $1 FOR UPDATE", [paid]);
  const claims: Claim[] = [];
  const signals = createRelaySignals();
  const relay = startRelay({
    database,
    dispatcher: { dispatch: async (some) => void claims.push(...some) },
    registry: createClaimRegistry(database, leaseMs),
    signals,
    leaseMs,
    queuedMax: { fast: 10, slow: 10 },
    webhookLimit: { fast: 10, slow: 10 },
    pollingIntervalMs: leaseMs,
    onReclaimed: () => undefined,
    onError: () => undefined,
  });
  await eventually("the round has counted the deliveries in flight", async () => {
    const { rowCount } = await fixture.pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return rowCount === 1;
  });
  await fixture.pool.query(
    `WITH ended AS (DELETE FROM webhook_claims WHERE notification_ids = ARRAY[$1::uuid])
     DELETE FROM webhook_deliveries WHERE notification_id = $1`,
    [sending],
  );
  signals.capacity();
  await gate.query("COMMIT");
  gate.release();
  await eventually("the waiting delivery is claimed", () =>
    claims.some(({ notificationIds }) => notificationIds.includes(String(waiting))),
  );

  await relay.stop();
  await database.close();
  await fixture.close();
});
