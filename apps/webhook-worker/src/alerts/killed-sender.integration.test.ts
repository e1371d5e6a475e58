import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { openTestDatabase } from "@svc/persistence/testing";
import { eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createAlertHarness } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";

const entry = fileURLToPath(new URL("../main.ts", import.meta.url));
const secretKey = randomBytes(32).toString("base64");

const workers: ServiceProcess[] = [];
// The hook stops the workers before the stores below are closed.
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));

const database = started(openTestDatabase);
const harness = started(() => createAlertHarness(database, createSecretBox(secretKey)));
const mails = started(startMailServer);

async function startWorker(): Promise<ServiceProcess> {
  const worker = await startServiceProcess(entry, {
    DATABASE_URL: database.url,
    SVC_QUEUE_URL: database.url,
    SVC_SECRET_KEY: secretKey,
    LOG_LEVEL: "warn",
    SVC_SMTP_URL: mails.url,
    SVC_MAIL_FROM: "alerts@example.com",
  });
  workers.push(worker);
  return worker;
}

test("delivers both alerts, one of them twice, after kill -9 in the middle of two sends", async () => {
  const [unsent, unrecorded] = [await harness.newAccount(), await harness.newAccount()];
  const ids = [await harness.subscribe(unsent), await harness.subscribe(unrecorded)];
  mails.stall(unsent.email, "recipient");
  mails.stall(unrecorded.email, "answer");
  const worker = await startWorker();
  await harness.open(unsent, ["MAEU1"]);
  await harness.open(unrecorded, ["MAEU2"]);
  await eventually("both sends are under way", () => mails.stalledCount() === 2, 60_000);
  process.kill(worker.pid, "SIGKILL");
  await worker.exited;
  expect([mails.mailsTo(unsent.email).length, mails.mailsTo(unrecorded.email).length]).toEqual([0, 1]);

  mails.stall(unsent.email, null);
  mails.stall(unrecorded.email, null);
  await startWorker();
  // The lease of the dead sender: without its end nothing is sent.
  const leased = await harness.query("SELECT 1 FROM alert_messages WHERE attempts = 1 AND next_attempt_at > now()");
  expect(leased).toHaveLength(2);
  await harness.query("UPDATE alert_messages SET next_attempt_at = now() WHERE sent_at IS NULL");
  for (const id of ids) {
    await eventually(
      "the alert is sent",
      async () => (await harness.messagesOf(id)).every(({ sent_at: sentAt }) => sentAt !== null),
      60_000,
    );
  }
  const [first, second, ...more] = mails.mailsTo(unrecorded.email);
  expect([first?.messageId === second?.messageId, more, mails.mailsTo(unsent.email).length]).toEqual([true, [], 1]);
}, 240_000);
