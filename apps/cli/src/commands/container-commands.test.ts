import { expect, test } from "@jest/globals";
import { containerId } from "@svc/sdk/testing";
import { runOnWire } from "../testing/run-on-wire.ts";

test("raw events are read latest received first, as the help says", async () => {
  const { code, requests } = await runOnWire(["containers", "raw-events", containerId], () => ({
    body: { data: [], links: {}, meta: {} },
  }));
  expect(code).toBe(0);
  expect(requests[0]?.url).toContain("sort=-created_at");
});
