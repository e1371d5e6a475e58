import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createSecretBox } from "@svc/persistence";
import { composeNextAlert } from "@svc/persistence/alerts";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { started } from "@svc/testkit/started";
import { clock, createAlertHarness, dailyAlert, soon } from "../testing/alert-harness.ts";
import { startAlerts } from "./start-alerts.ts";

const database = started(() => openTestDatabase({ statementTimeoutMs: 500 }));
const harness = started(() => createAlertHarness(database, createSecretBox(randomBytes(32).toString("base64"))));

/** Runs the work while another transaction locks the table, so that its statements time out. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("SET idle_in_transaction_session_timeout = 0");
    await client.query(`BEGIN; LOCK TABLE ${table}`);
    await work();
  } finally {
    client.release(true);
  }
}

test("postpones a digest whose statement times out, and composes the one that is due next", async () => {
  const compose = () => composeNextAlert(database, clock.now(), (_error, id) => void postponed.push(id));
  const postponed: string[] = [];
  const ids: string[] = [];
  for (const nextDigestAt of ["2026-11-20T11:00:00.000Z", "2026-11-20T10:00:00.000Z"]) {
    const account = await harness.newAccount();
    ids.push(await harness.subscribe(account, { ...dailyAlert, nextDigestAt: instant(nextDigestAt) }));
    await harness.open(account, [`SLOW${ids.length}`]);
  }
  const [later = "", first = ""] = ids;
  await whileLocked("exceptions", async () => expect(await compose()).toBe("postponed"));
  expect(postponed).toEqual([first]);
  expect(await compose()).toBe("composed");
  expect([(await harness.messagesOf(later)).length, (await harness.messagesOf(first)).length]).toEqual([1, 0]);
  expect(await compose()).toBe("none");
});

test("sends messages that are ready while none can be composed", async () => {
  const account = await harness.newAccount();
  const id = await harness.subscribe(account);
  await harness.sendTest(account, id);
  await whileLocked("alert_items", async () => {
    const alerts = startAlerts({
      database,
      clock,
      sender: { send: async () => null },
      channels: ["email"],
      logger: createLogger({ service: "test", level: "silent" }),
      everyMs: 50,
      onSettled: () => undefined,
    });
    await soon(async () => expect(await harness.messagesOf(id)).toMatchObject([{ sent_at: expect.any(String) }]));
    await alerts.stop();
  });
});
