import { beforeEach, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertNotification, insertShipment } from "../testing/rows.ts";
import { startTestApi, type TestAccount } from "../testing/start-test-api.ts";

let account: TestAccount;
const api = started(startTestApi);
beforeEach(async () => {
  account = await api.createAccount();
});

const bill = { request_type: "bill_of_lading", request_number: "SBXL 1234-567", scac: "SBXL" };

const create = (attributes: object, headers: Record<string, string>) =>
  api.request("/tracking_requests", {
    method: "POST",
    token: account.token,
    headers,
    body: { data: { type: "tracking_request", attributes } },
  });

describe("Idempotency-Key", () => {
  const key = { "Idempotency-Key": '"first-try"' };

  test("replays the first response to the same key and body, and acts once [spec: P5]", async () => {
    const first = await create(bill, key);
    const again = await create(bill, { "Idempotency-Key": "first-try" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await api.database.prisma.trackingRequest.count({ where: { accountId: account.id } })).toBe(1);
  });

  test("stores an error response as well, with the id of the request that was refused [spec: G17]", async () => {
    const refused = await create({ ...bill, scac: "QQQQ" }, key);
    const again = await create({ ...bill, scac: "QQQQ" }, key);
    expect([again.status, again.text]).toEqual([422, refused.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body.errors[0].id).toBe(refused.headers.get("x-request-id"));
    expect(again.headers.get("x-request-id")).not.toBe(refused.headers.get("x-request-id"));
  });

  test("422: the same key with another body; 400: a malformed key [spec: P5]", async () => {
    await create(bill, key);
    const other = await create({ ...bill, request_number: "SBXL999" }, key);
    expect([other.status, other.body.errors[0].code]).toEqual([422, "idempotency_key_reused"]);
    expect((await create(bill, { "Idempotency-Key": "x".repeat(256) })).status).toBe(400);
  });

  test("keys belong to an account", async () => {
    await create(bill, key);
    account = await api.createAccount();
    expect((await create(bill, key)).headers.get("idempotency-replayed")).toBeNull();
  });

  test("runs one of fifty concurrent requests; the others get its response or 409 [spec: G12]", async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => create(bill, key)));
    const statuses = new Set(responses.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    expect(new Set(responses.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect(await api.database.prisma.trackingRequest.count({ where: { accountId: account.id } })).toBe(1);
    expect((await create(bill, key)).headers.get("idempotency-replayed")).toBe("true");
  });

  test("seals a stored response: the secret of a webhook is not in the table", async () => {
    const response = await api.request("/webhooks", {
      method: "POST",
      token: account.token,
      headers: key,
      body: { data: { attributes: { url: "https://example.com/hook", active: true, events: ["*"] } } },
    });
    const row = await api.database.prisma.idempotencyKey.findFirstOrThrow({ where: { accountId: account.id } });
    expect(Buffer.from(row.sealedBody ?? []).includes(response.body.data.attributes.secret.slice(6))).toBe(false);
  });
});

/** Every write, with something to act on. */
async function writes(): Promise<readonly [method: string, path: string, body?: object][]> {
  const shipmentId = await insertShipment(api.database, account.id);
  const containerId = await insertContainer(api.database, account.id, shipmentId);
  const hook = { url: "https://example.com/hook", active: true, events: ["*"] };
  const created = await api.request("/webhooks", {
    method: "POST",
    token: account.token,
    body: { data: { attributes: hook } },
  });
  const webhookId: string = created.body.data.id;
  const notificationId = await insertNotification(api.database, account.id, webhookId, { deliveryStatus: "failed" });
  const bills = ["SBXL1", "SBXL1", "no number at all"].map((request_number) => ({
    attributes: { ...bill, request_number },
  }));
  return [
    ["POST", "/tracking_requests", { data: { attributes: bill } }],
    ["POST", "/tracking_requests/bulk", { data: bills }],
    ["POST", "/tracking_requests/infer_number", { number: "MSCU1234566" }],
    ["PATCH", `/shipments/${shipmentId}`, { data: { attributes: { tags: ["a"] } } }],
    ["PATCH", `/shipments/${shipmentId}/stop_tracking`],
    ["PATCH", `/containers/${containerId}/refresh`],
    ["PATCH", `/shipments/${shipmentId}/resume_tracking`],
    ["POST", "/webhooks/trigger", { url: "https://127.0.0.1:9/hook", event: "tracking_request.succeeded" }],
    ["POST", "/webhooks", { data: { attributes: hook } }],
    ["POST", `/webhooks/${webhookId}/rotate_secret`],
    ["POST", `/webhooks/${webhookId}/recover`, { since: "2026-01-01T00:00:00Z", only: "all" }],
    ["POST", `/webhook_notifications/${notificationId}/redeliver`],
    ["POST", "/parties", { data: { attributes: { company_name: "Kite & Harbour" } } }],
    ["DELETE", `/webhooks/${webhookId}`],
  ];
}

describe("every write", () => {
  test("repeats its first response, whatever its status [spec: P5]", async () => {
    for (const [method, path, body] of await writes()) {
      const request = { method, token: account.token, headers: { "Idempotency-Key": `${method} ${path}` }, body };
      const first = await api.request(path, request);
      const again = await api.request(path, request);
      expect([method, path, again.status, again.text]).toEqual([method, path, first.status, first.text]);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
    }
  });

  test("is refused with 422 when its key was used for another request, as its description says [spec: P5, P23]", async () => {
    for (const [method, path, body] of await writes()) {
      const request = { method, token: account.token, headers: { "Idempotency-Key": `${method} ${path}` }, body };
      await api.request(path, request);
      const otherPath = path.replace(/[0-9a-f-]{36}/, uuidV7.next());
      const other = await api.request(otherPath, otherPath === path ? { ...request, body: {} } : request);
      expect([method, path, other.status, other.body.errors[0].code]).toEqual([
        method,
        path,
        422,
        "idempotency_key_reused",
      ]);
    }
  });

  test("is one transaction with its stored response: a write whose response cannot be stored is rolled back", async () => {
    const { pool } = api.database;
    const all = await writes();
    await pool.query("ALTER TABLE idempotency_keys ADD CONSTRAINT nothing_fits CHECK (status IS NULL) NOT VALID");
    try {
      const digest = () =>
        pool.query(
          "SELECT (SELECT count(*) FROM tracking_requests) + (SELECT count(*) FROM parties) AS rows, (SELECT max(row_version) FROM webhooks) AS webhooks, (SELECT max(row_version) FROM shipments) AS shipments, (SELECT count(*) FROM webhooks WHERE deleted_at IS NULL) AS live, (SELECT count(*) FROM webhook_deliveries WHERE delivery_status = 'failed') AS failed",
        );
      const untouched = (await digest()).rows;
      for (const [method, path, body] of all) {
        const request = { method, token: account.token, headers: { "Idempotency-Key": "lost" }, body };
        expect([path, (await api.request(path, request)).status]).toEqual([path, 500]);
      }
      expect((await digest()).rows).toEqual(untouched);
    } finally {
      await pool.query("ALTER TABLE idempotency_keys DROP CONSTRAINT nothing_fits");
    }
  });

  test("does not deadlock on concurrent requests with the same numbers in opposite order", async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => ({
      attributes: { ...bill, request_number: `SBXL5${index}` },
    }));
    const send = (data: object[]) =>
      api.request("/tracking_requests/bulk", { method: "POST", token: account.token, body: { data } });
    const responses = await Promise.all([send(numbers), send(numbers.toReversed()), send(numbers)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses.reduce((sum, { body }) => sum + body.meta.created, 0)).toBe(60);
  });
});
