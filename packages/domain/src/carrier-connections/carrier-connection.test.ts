import { expect, test } from "@jest/globals";
import { connectionStatus } from "./carrier-connection.ts";

test("is connected only after a successful request, also while the carrier limits the rate", () => {
  const health = { lastError: null, lastErrorAt: null, lastSuccessAt: null };
  const status = (change: object) =>
    connectionStatus({ active: true, health: { ...health, ...change } } as Parameters<typeof connectionStatus>[0]);
  expect(status({})).toBe("untested");
  const throttled = { lastError: "throttled", lastErrorAt: "2026-03-02T00:00:00.000Z" };
  expect(status(throttled)).toBe("untested");
  expect(status({ ...throttled, lastSuccessAt: "2026-03-01T00:00:00.000Z" })).toBe("connected");
});
