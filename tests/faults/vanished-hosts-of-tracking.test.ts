import { once } from "node:events";
import fs from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { seedReferenceData } from "@svc/persistence/seed";
import { eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type DeliveryRig, type RigApi, startDeliveryRig } from "./delivery-rig.ts";
import { startTcpSwitch, type TcpSwitch, throughSwitch } from "./tcp-switch.ts";

/** Within this time after the network returns everything works as before. */
const recoveryMs = 30_000;
const outageMs = 12_000;
const testTimeoutMs = 240_000;

const withRedis = findRedisProgram() ? test : test.skip;
const sandboxEntry = fileURLToPath(new URL("../../apps/carrier-sandbox/src/main.ts", import.meta.url));

let rig: DeliveryRig;
let databaseUrl: string;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  rig = await startDeliveryRig(1);
  databaseUrl = String(rig.database.pool.options.connectionString);
  closing.push(() => rig.close());
  await seedReferenceData(rig.database);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startSwitch(url: string): Promise<TcpSwitch & { readonly url: string }> {
  const link = await startTcpSwitch(Number(new URL(url).port));
  closing.push(() => link.close());
  return { ...link, url: throughSwitch(url, link) };
}

async function startSandbox(timeScale: number): Promise<ServiceProcess> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-vanished-"));
  const sandbox = await startServiceProcess(sandboxEntry, {
    SVC_SANDBOX_DATA_DIR: folder,
    SVC_SANDBOX_TIME_SCALE: String(timeScale),
    LOG_LEVEL: "warn",
  });
  closing.push(async () => {
    await sandbox.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return sandbox;
}

const carrierAt = (scac: string, baseUrl: string, timeoutMs = 2_000) => ({
  ...{ scac, protocol: "dcsa-2.2", baseUrl, headers: { "Consumer-Key": "demo" }, timeoutMs },
});

async function track(api: RigApi, scac: string, digits: readonly number[]): Promise<string[]> {
  const numbers = digits.map((digit) => `SBXDIR${String(digit).padStart(6, "0")}`);
  for (const request_number of numbers) {
    const attributes = { request_type: "bill_of_lading", request_number, scac };
    const response = await api.send("POST", "/tracking_requests", { data: { type: "tracking_request", attributes } });
    expect([request_number, response.status]).toEqual([request_number, 201]);
  }
  return numbers;
}

/** How often the receiver was notified of the success of each request, by its number. */
function succeeded(): ReadonlyMap<string, number> {
  const ids = new Map<string, string>();
  for (const { body } of rig.sink.deliveries) {
    const { data, included = [] } = JSON.parse(body.toString("utf8"));
    if (data.attributes.event !== "tracking_request.succeeded") continue;
    const request = included.find(({ type }: { type: string }) => type === "tracking_request");
    ids.set(data.id, request.attributes.request_number);
  }
  const counts = new Map<string, number>();
  for (const number of ids.values()) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

const allSucceeded = (numbers: readonly string[], timeoutMs: number) =>
  eventually("every request was notified", () => numbers.every((number) => succeeded().has(number)), timeoutMs);

/** Nothing is lost, half-written or repeated: each number has one shipment with containers, and one notification. */
async function expectTrackedOnce(numbers: readonly string[]): Promise<void> {
  const { rows } = await rig.database.pool.query<{ number: string; status: string; shipments: number; boxes: number }>(
    `SELECT r.request_number AS number, r.status, count(DISTINCT s.id)::int AS shipments, count(c.id)::int > 0 AS boxes
       FROM tracking_requests r LEFT JOIN shipments s ON s.normalized_number = r.normalized_number
       LEFT JOIN containers c ON c.shipment_id = s.id
      GROUP BY r.id, r.request_number, r.status ORDER BY 1`,
  );
  expect(rows).toEqual(numbers.toSorted().map((number) => ({ number, status: "created", shipments: 1, boxes: true })));
  expect([...succeeded()].sort()).toEqual(numbers.toSorted().map((number) => [number, 1]));
  await eventually("everything is delivered", async () => (await rig.undelivered()).length === 0, recoveryMs);
}

/** A port on which nothing listens. */
async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function expectHealthy(service: ServiceProcess): Promise<void> {
  expect([service.url, (await fetch(`${service.url}/healthz`)).status]).toEqual([service.url, 200]);
  await eventually("ready", async () => (await fetch(`${service.url}/readyz`)).status === 200, recoveryMs);
}

describe("a host that vanishes without closing its connections [issue 15.25]", () => {
  test(
    "PostgreSQL: the tracking worker continues within 30 s of its return, without a restart, and loses nothing",
    async () => {
      const sandbox = await startSandbox(1);
      const link = await startSwitch(databaseUrl);
      await rig.startWorker();
      const api = await rig.startApi();
      const tracking = await rig.startTracking({
        DATABASE_URL: link.url,
        SVC_CARRIERS: JSON.stringify([carrierAt("SBXL", sandbox.url)]),
      });
      const numbers = await track(api, "SBXL", [1, 2, 3]);
      await allSucceeded(numbers, recoveryMs);
      // The host vanishes while replies are being stored.
      const blocker = await rig.database.pool.connect();
      await blocker.query("BEGIN; LOCK TABLE raw_replies");
      numbers.push(...(await track(api, "SBXL", [11, 12, 13, 14, 15])));
      const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'raw_replies'::regclass";
      await eventually("replies are stored", async () => (await blocker.query(waiting)).rowCount !== 0);
      link.freeze();
      await blocker.query("ROLLBACK");
      blocker.release();
      numbers.push(...(await track(api, "SBXL", [21, 22, 23])));
      await sleep(outageMs);
      link.thaw();
      await allSucceeded(numbers, recoveryMs);
      await expectTrackedOnce(numbers);
      await expectHealthy(tracking);
    },
    testTimeoutMs,
  );

  test(
    "PostgreSQL: the API answers 503 meanwhile, and again within 30 s of its return; what it confirmed is stored",
    async () => {
      const link = await startSwitch(databaseUrl);
      const api = await rig.startApi({ DATABASE_URL: link.url });
      const numbers = await track(api, "SBXL", [1, 2, 3]);
      // Several idle connections, each of which would have to be found out about.
      await Promise.all(Array.from({ length: 20 }, () => api.send("GET", "/shipments")));
      link.freeze();
      const meanwhile = await Promise.all(Array.from({ length: 3 }, () => api.send("GET", "/shipments")));
      expect(meanwhile.map(({ status }) => status)).toEqual([503, 503, 503]);
      link.thaw();
      await eventually("it answers", async () => (await api.send("GET", "/shipments")).status === 200, recoveryMs);
      numbers.push(...(await track(api, "SBXL", [4, 5])));
      const { rows } = await rig.database.pool.query<{ number: string }>(
        "SELECT request_number AS number FROM tracking_requests ORDER BY 1",
      );
      expect(rows.map(({ number }) => number)).toEqual(numbers);
      await expectHealthy(api);
    },
    testTimeoutMs,
  );

  withRedis(
    "Redis: the API answers meanwhile, and counts in Redis again within 30 s of its return",
    async () => {
      const link = await startSwitch(rig.redis.url);
      const api = await rig.startApi({ REDIS_URL: link.url });
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
    },
    testTimeoutMs,
  );

  test.each([
    ["4 s, refusing connections", "refuse", 4_000],
    ["40 s, silent", "freeze", 40_000],
    ["100 s, refusing connections, with a worker that is killed", "refuse", 100_000],
  ] as const)(
    "a carrier, for %s: others are polled meanwhile, it is polled within 30 s of its return, nothing is lost",
    async (_name, kind, lastsMs) => {
      const sandbox = await startSandbox(1);
      const sandboxPort = Number(new URL(sandbox.url).port);
      const link = await startSwitch(sandbox.url);
      await rig.startWorker();
      const api = await rig.startApi();
      const carriers = [carrierAt("SBXL", link.url), carrierAt("MAEU", sandbox.url), carrierAt("HLCU", link.url)];
      const settings = { SVC_CARRIERS: JSON.stringify(carriers) };
      let tracking = await rig.startTracking(settings);
      await rig.startTracking(settings);
      const numbers = await track(api, "SBXL", [1, 2, 3]);
      await allSucceeded(numbers, recoveryMs);
      if (kind === "freeze") link.freeze();
      else link.leadTo(await unusedPort());
      const connectionsBefore = link.accepted();
      // So many that the breaker opens, and a single one, with which it does not.
      numbers.push(...(await track(api, "SBXL", [11, 12, 13, 14, 15, 16, 17])));
      numbers.push(...(await track(api, "HLCU", [31])));
      const others = await track(api, "MAEU", [21, 22, 23]);
      await allSucceeded(others, recoveryMs);
      if (lastsMs > 60_000) {
        tracking.kill("SIGKILL");
        tracking = await rig.startTracking(settings);
      }
      await sleep(lastsMs);
      expect(numbers.filter((number) => succeeded().has(number))).toEqual(numbers.slice(0, 3));
      // A failed poll of each subject at most, probes, and a check of each carrier every 12 s.
      expect(link.accepted() - connectionsBefore).toBeLessThanOrEqual(16 + (2 * lastsMs) / 10_000);
      if (kind === "freeze") link.thaw();
      else link.leadTo(sandboxPort);
      await allSucceeded(numbers, recoveryMs);
      await expectTrackedOnce([...numbers, ...others]);
      await expectHealthy(tracking);
    },
    testTimeoutMs,
  );
});
