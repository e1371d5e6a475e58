import { expect, test } from "@jest/globals";
import { requireFreePorts } from "./ports.ts";

test("a port that no browser connects to is refused", async () => {
  await expect(requireFreePorts(10_078)).rejects.toThrow("Port 10080 (deeplink) is one that browsers refuse");
});
