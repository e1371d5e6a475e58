import { expect, test } from "@jest/globals";
import { startWireServer } from "@svc/sdk/testing";
import { started } from "@svc/testkit/started";
import { startFakeApi } from "../testing/fake-api.ts";
import { apiChecks } from "./api-checks.ts";

const api = started(startFakeApi);

test("reports a server with its own token as ready only while the API accepts it", async () => {
  await expect(apiChecks(api.baseUrl, "svc_test_alpha").token?.()).resolves.toBe(true);
  await expect(apiChecks(api.baseUrl, "svc_test_wrong").token?.()).rejects.toThrow(/401|token/i);
  expect(apiChecks(api.baseUrl)).not.toHaveProperty("token");
});

test("an accepted token is not checked again by each probe, and a rate limit does not refuse it", async () => {
  const limited = await startWireServer(() => ({
    status: 429,
    headers: { ratelimit: '"default";r=0;t=7', "retry-after": "7" },
    body: { errors: [{ code: "rate_limited" }] },
  }));
  const { token } = apiChecks(limited.baseUrl, "svc_test_alpha");
  await token?.();
  await token?.();
  expect(limited.requests).toHaveLength(1);
  await limited.close();
});
