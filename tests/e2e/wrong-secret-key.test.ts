import { randomBytes } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startProgram, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { apiClient } from "./harness/api-client.ts";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { repository } from "./harness/system.ts";

let api: ApiProcess;
let carrier: WebhookSink;
let receiver: WebhookSink;

/** Returns what a worker with a wrong key would use up: polls and tries of subjects, attempts of deliveries. */
const used = async (): Promise<object[]> => {
  const { rows } = await api.database.pool.query<object>(
    `SELECT s.id, to_jsonb(s) AS row FROM tracking_subjects s
     UNION ALL SELECT r.id, to_jsonb(r) FROM tracking_requests r
     UNION ALL SELECT d.notification_id, to_jsonb(d) FROM webhook_deliveries d
     UNION ALL SELECT c.id, to_jsonb(c) FROM carrier_connections c ORDER BY 1`,
  );
  return rows;
};

beforeAll(async () => {
  [api, carrier, receiver] = await Promise.all([startApiProcess(), startWebhookSink(), startWebhookSink()]);
  const client = apiClient(api.baseUrl, api.tenants[0].token);
  const created = [
    await client.create("/carrier_connections", "carrier_connection", {
      scac: "SBXL",
      credentials: { kind: "api_key", headers: [{ name: "Consumer-Key", value: "of-the-account" }] },
    }),
    await client.create("/webhooks", "webhook", { url: `${receiver.url}/hook`, active: true, events: ["*"] }),
    await client.create("/tracking_requests", "tracking_request", {
      request_type: "bill_of_lading",
      request_number: "SBXDIR000123",
      scac: "SBXL",
    }),
  ];
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
}, 180_000);
afterAll(async () => {
  await receiver?.close();
  await carrier?.close();
  await api?.stop();
});

describe("a service with a wrong SVC_SECRET_KEY does not start", () => {
  test.each(["api", "tracking-worker", "webhook-worker"])(
    "%s reports it in one sentence and uses up nothing",
    async (name) => {
      const before = await used();
      const environment = {
        PORT: "0",
        DATABASE_URL: api.databaseUrl,
        SVC_QUEUE_URL: api.databaseUrl,
        SVC_SECRET_KEY: randomBytes(32).toString("base64"),
        SVC_CARRIERS: JSON.stringify([{ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: carrier.url }]),
        SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
      };
      const service = startProgram([path.join(repository, "apps", name, "src/main.ts")], { environment });
      expect((await service.exited).code).toBe(1);
      expect(service.output()).toBe(
        `${name} cannot start: SVC_SECRET_KEY opens none of the stored secrets. Give every service the key with which they were sealed.\n`,
      );
      expect(await used()).toEqual(before);
      expect([...carrier.deliveries, ...receiver.deliveries]).toEqual([]);
    },
    60_000,
  );
});
