import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { AuthenticationError, createClient } from "@svc/sdk";
import { readShipmentCosts } from "./container-costs.ts";

const read = (status: number) => {
  const fetch = async () => new Response(JSON.stringify({ errors: [] }), { status });
  const api = createClient({ token: "token", maxRetries: 0, fetch });
  return readShipmentCosts(api, { id: "id", containerIds: ["one"] }, instant("2026-07-01T00:00:00.000Z"));
};

test("costs are left out where the API fails, but not of a caller who is no longer signed in", async () => {
  expect(await read(503)).toBeNull();
  await expect(read(401)).rejects.toThrow(AuthenticationError);
});
