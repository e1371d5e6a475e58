import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { eventually } from "@svc/testkit";
import { carrierAt, expectHealthy, recoveryMs, TrackingScene, track, unusedPort } from "./testing/tracking-scene.ts";

const outageMs = 12_000;
const testTimeoutMs = 240_000;

/** They wait most of the time, so they wait together. */
const concurrently = test.concurrent;
const withRedis = findRedisProgram() ? concurrently : test.skip;

/**
 * Outages of carriers that begin together: each of a carrier with so many polls that its breaker opens, and of one
 * with a single poll. After 40 s the breaker is open for the second time, for a minute or more.
 */
const carrierOutages = [
  { kind: "refuses connections", lastsMs: 4_000, many: "SBXL", single: "HLCU", first: 100 },
  { kind: "is silent", lastsMs: 40_000, many: "ONEY", single: "CMDU", first: 200 },
  { kind: "refuses connections", lastsMs: 40_000, many: "MSCU", single: "COSU", first: 300 },
] as const;

async function startCarrierOutage(scene: TrackingScene, sandboxUrl: string, outage: (typeof carrierOutages)[number]) {
  const link = await scene.startSwitch(sandboxUrl);
  const { kind, lastsMs, many, single } = outage;
  let connectionsBefore = 0;
  return {
    ...outage,
    carriers: [many, single].map((scac) => carrierAt(scac, link.url)),
    numbers: [] as string[],
    async begin() {
      if (kind === "is silent") link.freeze();
      else link.leadTo(await unusedPort());
      connectionsBefore = link.accepted();
    },
    end() {
      // A failed poll of each subject at most, probes, and a check of each carrier every 12 s.
      expect(link.accepted() - connectionsBefore).toBeLessThanOrEqual(16 + (2 * lastsMs) / 10_000);
      if (kind === "is silent") link.thaw();
      else link.leadTo(Number(new URL(sandboxUrl).port));
    },
  };
}

describe("a host that vanishes without closing its connections", () => {
  concurrently(
    "carriers, for 4 s and 40 s, refusing connections or silent: others are polled meanwhile, each is polled within 30 s of its return, nothing is lost, also when a worker is killed",
    () =>
      TrackingScene.run(async (scene) => {
        const sandbox = await scene.startSandbox();
        const outages = await Promise.all(carrierOutages.map((one) => startCarrierOutage(scene, sandbox.url, one)));
        const carriers = [...outages.flatMap((outage) => outage.carriers), carrierAt("MAEU", sandbox.url)];
        const settings = { SVC_CARRIERS: JSON.stringify(carriers) };
        const [api, killed] = await Promise.all([
          scene.rig.startApi(),
          scene.rig.startTracking(settings),
          scene.rig.startTracking(settings),
          scene.rig.startWorker(),
        ]);
        for (const { many, first, numbers } of outages) numbers.push(...(await track(api, many, first, 3)));
        await scene.allSucceeded(outages.flatMap(({ numbers }) => numbers));
        for (const outage of outages) await outage.begin();
        for (const { many, single, first, numbers } of outages) {
          numbers.push(...(await track(api, many, first + 10, 7)));
          numbers.push(...(await track(api, single, first + 20, 1)));
        }
        const others = await track(api, "MAEU", 21, 3);
        await scene.allSucceeded(others);
        const finish = async ({ lastsMs, numbers, end }: (typeof outages)[number]) => {
          await sleep(lastsMs);
          expect(scene.succeededOf(numbers)).toEqual(numbers.slice(0, 3));
          end();
          await scene.allSucceeded(numbers);
        };
        const [short, ...long] = outages.map(finish);
        const longOnes = Promise.all(long);
        await short;
        killed.kill("SIGKILL");
        const replacement = await scene.rig.startTracking(settings);
        await longOnes;
        await scene.expectTrackedOnce([...outages.flatMap(({ numbers }) => numbers), ...others]);
        await expectHealthy(replacement);
      }),
    testTimeoutMs,
  );

  concurrently(
    "PostgreSQL: the tracking worker continues within 30 s of its return, without a restart, and loses nothing",
    () =>
      TrackingScene.run(async (scene) => {
        const sandbox = await scene.startSandbox();
        const link = await scene.startSwitch(scene.databaseUrl);
        await scene.rig.startWorker();
        const api = await scene.rig.startApi();
        const tracking = await scene.rig.startTracking({
          DATABASE_URL: link.url,
          SVC_CARRIERS: JSON.stringify([carrierAt("SBXL", sandbox.url)]),
        });
        const numbers = await track(api, "SBXL", 1, 3);
        await scene.allSucceeded(numbers);
        // The host vanishes while replies are being stored.
        const blocker = await scene.rig.database.pool.connect();
        await blocker.query("BEGIN; LOCK TABLE raw_replies");
        numbers.push(...(await track(api, "SBXL", 11, 5)));
        const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'raw_replies'::regclass";
        await eventually("replies are stored", async () => (await blocker.query(waiting)).rowCount !== 0);
        link.freeze();
        await blocker.query("ROLLBACK");
        blocker.release();
        numbers.push(...(await track(api, "SBXL", 21, 3)));
        await sleep(outageMs);
        link.thaw();
        await scene.allSucceeded(numbers);
        await scene.expectTrackedOnce(numbers);
        await expectHealthy(tracking);
      }),
    testTimeoutMs,
  );

  concurrently(
    "PostgreSQL: the API answers 503 meanwhile, and again within 30 s of its return; what it confirmed is stored",
    () =>
      TrackingScene.run(async (scene) => {
        const link = await scene.startSwitch(scene.databaseUrl);
        const api = await scene.rig.startApi({ DATABASE_URL: link.url });
        const numbers = await track(api, "SBXL", 1, 3);
        // Several idle connections, each of which would have to be found out about.
        await Promise.all(Array.from({ length: 20 }, () => api.send("GET", "/shipments")));
        link.freeze();
        const meanwhile = await Promise.all(Array.from({ length: 3 }, () => api.send("GET", "/shipments")));
        expect(meanwhile.map(({ status }) => status)).toEqual([503, 503, 503]);
        link.thaw();
        await eventually("it answers", async () => (await api.send("GET", "/shipments")).status === 200, recoveryMs);
        numbers.push(...(await track(api, "SBXL", 4, 2)));
        const { rows } = await scene.rig.database.pool.query<{ number: string }>(
          "SELECT request_number AS number FROM tracking_requests ORDER BY 1",
        );
        expect(rows.map(({ number }) => number)).toEqual(numbers);
        await expectHealthy(api);
      }),
    testTimeoutMs,
  );

  withRedis(
    "Redis: the API answers meanwhile, and counts in Redis again within 30 s of its return",
    () =>
      TrackingScene.run(async (scene) => {
        const link = await scene.startSwitch(scene.rig.redis.url);
        const api = await scene.rig.startApi({ REDIS_URL: link.url });
        const remaining = async (): Promise<number> => {
          const response = await api.send("GET", "/shipments");
          expect(response.status).toBe(200);
          return Number(/;r=(\d+)/.exec(String(response.headers.get("ratelimit")))?.[1]);
        };
        await remaining();
        const shared = await remaining();
        link.freeze();
        expect(await remaining()).toBeGreaterThan(shared);
        await sleep(outageMs);
        link.thaw();
        // Redis knows of the first two requests.
        await eventually("the count of Redis", async () => (await remaining()) < shared, recoveryMs);
      }),
    testTimeoutMs,
  );
});
