import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { startTestApi, type TestAccount, type TestApi } from "../testing/start-test-api.ts";

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  account = await api.createAccount();
});
afterAll(() => api.close());

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

  test("the same key and body give the first answer again and act once", async () => {
    const first = await create(bill, key);
    const again = await create(bill, { "Idempotency-Key": "first-try" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await api.database.prisma.trackingRequest.count({ where: { accountId: account.id } })).toBe(1);
  });

  test("a refusal is remembered too", async () => {
    const refused = await create({ ...bill, scac: "QQQQ" }, key);
    const again = await create({ ...bill, scac: "QQQQ" }, key);
    expect([again.status, again.text]).toEqual([422, refused.text]);
  });

  test("422: the same key with another body; 400: a key that is none", async () => {
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

  test("of many at once one acts, the others get its answer or 409", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(bill, key)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect(await api.database.prisma.trackingRequest.count({ where: { accountId: account.id } })).toBe(1);
  });

  test("a kept answer is sealed: the secret of a webhook is not in the table", async () => {
    const answer = await api.request("/webhooks", {
      method: "POST",
      token: account.token,
      headers: key,
      body: { data: { attributes: { url: "https://example.com/hook", active: true, events: ["*"] } } },
    });
    const row = await api.database.prisma.idempotencyKey.findFirstOrThrow({ where: { accountId: account.id } });
    expect(Buffer.from(row.sealedBody ?? []).includes(answer.body.data.attributes.secret.slice(6))).toBe(false);
  });
});
