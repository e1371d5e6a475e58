import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually, type ServiceProcess } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createAuthority } from "./certificates.ts";
import { type DeliveryHarness, startDeliveryHarness } from "./delivery-harness.ts";
import { createEndpointServers } from "./endpoint-servers.ts";
import { hostileEndpoints } from "./hostile-endpoints.ts";

interface FirstAttempt {
  webhook_id: string;
  outcome: string;
  http_status: number | null;
  error_class: string | null;
  duration_ms: number;
  kept_bytes: number;
  retry_seconds: number | null;
}

const limitMs = 10_000;
/** Maximum size of a row of the attempt log, whatever the response. */
const storedBytesMax = 64 * 1024;

const inTwoHours = () => new Date(Date.now() + 7_200_000).toUTCString();

/** Minimum and maximum number of seconds until the next attempt. */
const retryAfters: readonly [string, number, string | (() => string), number, number][] = [
  ["429 with seconds", 429, "7200", 7_190, 7_210],
  ["503 with a date", 503, inTwoHours, 7_150, 7_250],
  ["429 with -1", 429, "-1", 3.9, 20],
  ["429 with a thousand million seconds", 429, "1000000000", 86_390, 86_410],
  ["429 with nonsense", 429, "soon", 3.9, 20],
  ["500 with seconds, which count only for 429 and 503", 500, "7200", 3.9, 20],
];
const redirects = [301, 302, 303, 307, 308];

describe("misbehaving endpoints, all served by one worker concurrently", () => {
  const servers = createEndpointServers();
  let harness: DeliveryHarness;
  let worker: ServiceProcess;
  let residentBefore = 0;
  let visited = 0;
  const webhookIdByName = new Map<string, string>();
  const late = { asked: [] as string[] };
  let firsts: ReadonlyMap<string, FirstAttempt>;

  const residentBytes = async () =>
    Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(await (await fetch(`${worker.url}/metrics`)).text())?.[1]);

  const endpoint = async (name: string, url: string) => void webhookIdByName.set(name, await harness.addWebhook(url));

  const authority = started(createAuthority);
  beforeAll(async () => {
    harness = await startDeliveryHarness(0);
    for (const { name, serve } of hostileEndpoints) await endpoint(name, await serve(servers, authority));
    for (const [name, status, value] of retryAfters) {
      const header = typeof value === "string" ? value : value();
      await endpoint(
        name,
        await servers.http((_, reply) => void reply.writeHead(status, { "retry-after": header }).end()),
      );
    }
    const target = await servers.http((_request, response) => {
      visited += 1;
      response.end();
    });
    for (const status of redirects) {
      for (const location of [target, "http://169.254.169.254/latest/meta-data/"]) {
        const url = await servers.http((_, response) => void response.writeHead(status, { location }).end());
        await endpoint(`${status} ${location}`, url);
      }
    }
    await endpoint("410", await servers.http((_request, response) => void response.writeHead(410).end()));
    const lateUrl = await servers.http((request, response) => {
      late.asked.push(String(request.headers["webhook-id"]));
      setTimeout(() => response.end(), late.asked.length === 1 ? limitMs + 1_000 : 0);
    });
    await endpoint("late", lateUrl);

    worker = await harness.startWorker({ NODE_EXTRA_CA_CERTS: authority.file });
    residentBefore = await residentBytes();
    await Promise.all([...webhookIdByName.values()].map((id) => harness.fixture.addNotifications(id, 1)));
    firsts = await eventually(
      "an attempt of each",
      async () => {
        const { rows } = await harness.fixture.pool.query<FirstAttempt>(
          `SELECT webhook_id, outcome, http_status, error_class, duration_ms,
                pg_column_size(a.*) AS kept_bytes,
                extract(epoch FROM next_attempt_at - started_at)::float8 - duration_ms / 1000.0 AS retry_seconds
           FROM webhook_attempts a WHERE attempt_number = 1`,
        );
        return rows.length === webhookIdByName.size && new Map(rows.map((row) => [row.webhook_id, row]));
      },
      40_000,
    );
  }, 240_000);
  afterAll(async () => {
    servers.close();
    await harness.close();
    authority.remove();
  });

  const firstDelivery = (name: string) => firsts.get(webhookIdByName.get(name) ?? "");

  test.each(hostileEndpoints)("$name", ({ name, expected }) => {
    const first = firstDelivery(name);
    expect(first).toMatchObject({
      outcome: expected.outcome,
      http_status: expected.status,
      error_class: expected.errorClass,
    });
    expect(first?.duration_ms).toBeLessThanOrEqual(expected.withinMs ?? limitMs + 1_000);
    expect(first?.kept_bytes).toBeLessThanOrEqual(storedBytesMax);
  });

  test.each(retryAfters)("Retry-After: %s", (name, status, _value, atLeast, atMost) => {
    const first = firstDelivery(name);
    expect(first).toMatchObject({ outcome: "failed", http_status: status });
    expect(first?.retry_seconds).toBeGreaterThanOrEqual(atLeast);
    expect(first?.retry_seconds).toBeLessThanOrEqual(atMost);
  });

  test.each(redirects)(
    "does not follow a redirect (%d), also to the metadata address, and records a failure",
    (status) => {
      for (const [name] of webhookIdByName) {
        if (!name.startsWith(`${status} `)) continue;
        expect(firstDelivery(name)).toMatchObject({
          outcome: "failed",
          http_status: status,
          error_class: "http_status",
        });
      }
      expect(visited).toBe(0);
    },
  );

  test("disables the webhook on 410 and fails the notification permanently", async () => {
    const id = webhookIdByName.get("410");
    expect(firstDelivery("410")).toMatchObject({ outcome: "failed", http_status: 410, retry_seconds: null });
    const { rows } = await harness.fixture.pool.query(
      `SELECT w.active, w.deactivated_reason, d.delivery_status
         FROM webhooks w JOIN webhook_deliveries d ON d.account_id = w.account_id AND d.webhook_id = w.id
        WHERE w.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ active: false, deactivated_reason: "gone", delivery_status: "failed" }]);
  });

  test("records a 200 that arrives a second after the timeout as failed, and retries under the same id", async () => {
    const attempts = await eventually("two attempts", async () => {
      const { rows } = await harness.fixture.pool.query(
        "SELECT outcome, error_class FROM webhook_attempts WHERE webhook_id = $1 ORDER BY attempt_number",
        [webhookIdByName.get("late")],
      );
      return rows.length === 2 && rows;
    });
    expect(attempts).toEqual([
      { outcome: "failed", error_class: "timeout" },
      { outcome: "succeeded", error_class: null },
    ]);
    expect(late.asked).toHaveLength(2);
    expect(new Set(late.asked).size).toBe(1);
  });

  test("uses at most 100 MB for a hundred concurrent oversized responses", async () => {
    const oversized = hostileEndpoints.slice(0, 5).map(({ name }) => webhookIdByName.get(name) ?? "");
    const before = Math.max(residentBefore, await residentBytes());
    await Promise.all(oversized.map((id) => harness.fixture.addNotifications(id, 20)));
    let peak = 0;
    await eventually("all are answered", async () => {
      peak = Math.max(peak, await residentBytes());
      const { rows } = await harness.fixture.pool.query(
        "SELECT count(*)::int FROM webhook_attempts WHERE webhook_id = ANY($1) AND outcome = 'succeeded'",
        [oversized],
      );
      return rows[0].count === 105;
    });
    expect(peak - before).toBeLessThanOrEqual(100 * 1024 * 1024);
  });
});
