import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";
import { workOf } from "./status-page.ts";

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
      "Tracking pages and API are up Tracking pages Up API Up Carrier updates None yet Webhook delivery None yet",
    );
    const json = await app.request("/status", { headers: { accept: "application/json" } });
    expect([json.status, await json.json()]).toEqual([
      200,
      {
        status: "ok",
        checks: { "Tracking pages": "ok", API: "ok" },
        work: { "Carrier updates": "none", "Webhook delivery": "none" },
      },
    ]);
    expect((await app.request("/status", { method: "PUT" })).status).toBe(405);
  } finally {
    await app.close();
    await api.stop();
  }
});

test("shows since when polls and deliveries are delayed, without anything of the account", async () => {
  const app = await startTestWeb();
  try {
    const { id: accountId } = await app.addAccount();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const [scac, kind, number] = ["SBXL", "bill_of_lading", "SECRETNUMBER"];
    const subject = { id: uuidV7.next(), accountId, scac, kind, number, createdAt: hoursAgo(5) };
    await app.database.prisma.trackingSubject.create({ data: { ...subject, nextPollAt: hoursAgo(3) } });
    await app.database.prisma.carrierAccess.create({ data: { credential: scac, lastSuccessAt: hoursAgo(4) } });
    await app.database.prisma.webhookDelivery.create({
      data: {
        accountId,
        notificationId: uuidV7.next(),
        webhookId: uuidV7.next(),
        eventId: uuidV7.next(),
        nextAttemptAt: hoursAgo(2),
        createdAt: hoursAgo(2),
      },
    });
    const page = visibleText(await (await app.request("/status")).text());
    expect(page).toMatch(/Carrier updates Delayed since 3 hours ago Webhook delivery Delayed since 2 hours ago/);
    expect(page).not.toContain("SECRETNUMBER");
  } finally {
    await app.close();
  }
});

test.each([
  ["nothing is due", "2026-06-01T00:00:00.000Z", null, "running"],
  ["what is due is new", "2026-06-01T06:00:00.000Z", "2026-06-01T11:50:00.000Z", "running"],
  ["there was none", null, null, "none"],
  ["others go on, as with one slow carrier", "2026-06-01T11:59:00.000Z", "2026-06-01T06:00:00.000Z", "running"],
  ["nothing goes on", "2026-06-01T06:30:00.000Z", "2026-06-01T06:00:00.000Z", "delayed"],
  ["nothing ever went on", null, "2026-06-01T06:00:00.000Z", "delayed"],
] as const)("while %s (last %s, due since %s), work is %s", (_when, lastAt, oldestDueAt, state) => {
  const at = (text: string | null) => (text === null ? null : instant(text));
  const work = { lastAt: at(lastAt), oldestDueAt: at(oldestDueAt) };
  expect(workOf(work, instant("2026-06-01T12:00:00.000Z"), 30 * 60_000).state).toBe(state);
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
