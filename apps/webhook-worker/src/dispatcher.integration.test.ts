import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createEgressAgent } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { claimDeliveries, createClaimStarter, createOutcomeWriter } from "@svc/persistence/delivery";
import { openTestDatabase } from "@svc/persistence/testing";
import { connectQueues } from "@svc/queue";
import { globalTracer } from "@svc/service-kit";
import { createDeliveryFixture, eventually, startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createClaimRegistry } from "./claim-registry.ts";
import { createDeliverer } from "./deliverer.ts";
import { createDispatcher } from "./dispatcher.ts";
import { createRelaySignals } from "./relay-signals.ts";

const leaseMs = 60_000;

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));

test("delivers its own queued claims when the queue is reachable but has no consumer", async () => {
  const box = createSecretBox(randomBytes(32).toString("base64"));
  const sink = await startWebhookSink();
  const webhookId = await fixture.addWebhook({ url: sink.url, sealedSecret: box.seal("whsec_c2VjcmV0") });
  await fixture.addNotifications(webhookId, 3);
  const policy = { allowInsecureTargets: true };
  const agent = createEgressAgent(policy);
  const registry = createClaimRegistry(database, leaseMs);
  const deliverer = createDeliverer({
    agent,
    policy,
    box,
    random: Math.random,
    tracer: globalTracer,
    database,
    starter: createClaimStarter(database.sql, leaseMs),
    writer: createOutcomeWriter({
      database,
      describeNotice: () => "[]",
      onDeactivated: () => undefined,
      onRetry: () => undefined,
    }),
    registry,
    signals: createRelaySignals(),
    fastConcurrency: 25,
    onAttempted: () => undefined,
    onUnrecorded: () => undefined,
  });
  const queues = connectQueues({ url: fixture.databaseUrl, prefix: `test-${randomUUID()}`, onError: () => undefined });
  let overdue = 0;
  const dispatcher = createDispatcher({
    database,
    queues,
    deliverer,
    registry,
    directJobs: { fast: 1, slow: 1 },
    onRoute: () => undefined,
    onOverdue: (claims) => {
      overdue += claims;
    },
  });
  await dispatcher.probe();
  const limits = { budget: { fast: 100, slow: 0 }, webhookLimit: { fast: 10, slow: 0 }, leaseMs };
  await dispatcher.dispatch((await claimDeliveries(database, { after: null, ...limits })).claims);
  expect(await queues.depth("webhook-deliveries")).toBe(1);
  await eventually("they are delivered", async () => {
    expect(await dispatcher.renew()).toBe(false);
    return sink.deliveries.length === 3;
  });
  expect(overdue).toBe(1);
  expect(registry.count("fast")).toBe(0);
  await deliverer.stop(5_000);
  await queues.close();
  await sink.close();
});
