import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { routes } from "../routes.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const anyId = "0199f0a0-0000-7000-8000-000000000001";

test("row-level security isolates accounts for every operation [spec: G14]", async () => {
  for (const { method, path } of routes) {
    const response = await api.request(path.replace("{api_slug}", "memo").replaceAll(/\{\w+\}/g, anyId), {
      method: method.toUpperCase(),
      ...(method !== "get" && { body: { data: {} } }),
    });
    expect(response.status).not.toBe(500);
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
  // Of carrier accesses, the catalogue reads those of the service itself, which belong to no account.
  const sharedStatements = ["shipping-lines.catalogue", "shipping-lines.by-id", "carrier-access.of-service"];
  for (const { name, text } of touching) {
    if (sharedStatements.includes(name)) expect(text).toContain("a.account_id IS NULL");
  }
  const names = new Set(touching.map(({ name }) => name));
  expect([...names].filter((name) => !sharedStatements.includes(name))).toEqual(["tokens.authenticate"]);
  expect(api.takeStatements()).toEqual(expect.arrayContaining(["tracking-requests.insert", "idempotency.write"]));
});
