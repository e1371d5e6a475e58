import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

test("shows whether the service works without signing in, as a page and as JSON", async () => {
  const databaseUrl = await createTestDatabase();
  const api = await startServiceProcess(fileURLToPath(new URL("../../../api/src/main.ts", import.meta.url)), {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
  });
  const app = await startTestWeb({ database: { databaseUrl }, runningApi: `${api.url}/v2` });
  try {
    const response = await app.request("/status");
    expect(response.status).toBe(200);
    expect(visibleText(await response.text())).toContain(
      "Tracking pages and API are up Tracking pages Up API Up Carrier polling and webhook delivery are not checked here.",
    );
    const json = await app.request("/status", { headers: { accept: "application/json" } });
    expect([json.status, await json.json()]).toEqual([
      200,
      { status: "ok", checks: { "Tracking pages": "ok", API: "ok" } },
    ]);
    expect((await app.request("/status", { method: "PUT" })).status).toBe(405);
  } finally {
    await app.close();
    await api.stop();
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
