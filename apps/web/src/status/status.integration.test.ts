import { expect, test } from "@jest/globals";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

test("shows whether the service works without signing in, as a page and as JSON", async () => {
  const app = await startTestWeb({ withApi: true });
  try {
    const response = await app.request("/status");
    expect(response.status).toBe(200);
    expect(visibleText(await response.text())).toContain("All services are up Tracking pages Up API Up");
    const json = await app.request("/status", { headers: { accept: "application/json" } });
    expect([json.status, await json.json()]).toEqual([
      200,
      { status: "ok", checks: { "Tracking pages": "ok", API: "ok" } },
    ]);
    expect((await app.request("/status", { method: "PUT" })).status).toBe(405);
  } finally {
    await app.close();
  }
});

test("names the component that does not answer without its address", async () => {
  const app = await startTestWeb();
  try {
    const response = await app.request("/status");
    expect(response.status).toBe(503);
    const page = await response.text();
    expect(visibleText(page)).toContain("Some services are down Tracking pages Up API Not responding");
    expect(page).not.toContain("127.0.0.1");
  } finally {
    await app.close();
  }
});
