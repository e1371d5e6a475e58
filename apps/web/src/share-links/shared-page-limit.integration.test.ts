import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));

test("limits the requests of one address; those of the application are not counted", async () => {
  // Without an account, the log-in leads to the set-up.
  await app.addAccount();
  const limited = await startTestWeb({ database: app });
  try {
    const status = async (path: string) => (await limited.request(path)).status;
    const found: number[] = [];
    for (let n = 0; n < 121; n++) found.push(await status(`/share/${"B".repeat(43)}`));
    expect(new Set(found.slice(0, 120))).toEqual(new Set([404]));
    const last = await limited.request(`/share/${"B".repeat(43)}`);
    expect([last.status, Number(last.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await status("/login")).toBe(200);
  } finally {
    await limited.close();
  }
});
