import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { routes } from "../routes.ts";
import { startTestApi, type TestApi } from "../testing/start-test-api.ts";

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const anyId = "0199f0a0-0000-7000-8000-000000000001";

test("whatever is asked, the database keeps the accounts apart, but for whose a token is [spec: G14]", async () => {
  for (const { method, path } of routes) {
    const answer = await api.request(path.replace("{api_slug}", "memo").replaceAll(/\{\w+\}/g, anyId), {
      method: method.toUpperCase(),
      ...(method !== "get" && { body: { data: {} } }),
    });
    expect(answer.status).not.toBe(500);
  }
  await api.request("/tracking_requests", {
    method: "POST",
    headers: { "Idempotency-Key": "once" },
    body: {
      data: {
        type: "tracking_request",
        attributes: { request_type: "bill_of_lading", request_number: "SBXL1234567", scac: "SBXL" },
      },
    },
  });
  const { rows } = await api.database.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relrowsecurity",
  );
  const accountsRows = new RegExp(`\\b(?:${rows.map(({ name }) => name).join("|")})\\b`);
  const touching = api.statementsOfAllAccounts().filter(({ text }) => accountsRows.test(text));
  expect([...new Set(touching.map(({ name }) => name))]).toEqual(["tokens.authenticate"]);
  expect(api.takeStatements()).toEqual(expect.arrayContaining(["tracking-requests.insert", "idempotency.write"]));
});
