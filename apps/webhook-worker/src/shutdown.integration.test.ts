import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { openTestDatabase } from "@svc/persistence/testing";
import { startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createMailer } from "./mail/mailer.ts";
import { createAlertHarness, soon } from "./testing/alert-harness.ts";
import { startMailServer } from "./testing/mail-server.ts";
import { startTestWorker, testWorkerConfig } from "./testing/start-test-worker.ts";

const secretKey = randomBytes(32).toString("base64");
const database = started(openTestDatabase);
const harness = started(() => createAlertHarness(database, createSecretBox(secretKey)));
const mails = started(startMailServer);
const sink = started(() => startWebhookSink());

test("records the outcome of an alert that is being posted when the worker stops", async () => {
  const account = await harness.newAccount();
  const id = await harness.subscribeChannel(account, "slack", `${sink.url}/secret`);
  await harness.sendTest(account, id);
  sink.respondWith({ status: 200, afterMs: 1_500 });
  const worker = await startTestWorker(testWorkerConfig(database.url, secretKey));
  await sink.delivery("the alert is posted", () => true, 60_000);
  await worker.close();
  expect(await harness.messagesOf(id)).toMatchObject([{ attempts: 1, error: null, sent_at: expect.any(String) }]);
  expect(sink.deliveries).toHaveLength(1);
});

test("gives up a mail that the server does not accept soon enough, and retries it", async () => {
  const { email: to } = await harness.newAccount();
  const mailer = createMailer({ smtpUrl: mails.url, from: "alerts@example.com" });
  mails.stall(to, "answer");
  const sending = mailer.send({ id: "1", to, subject: "x", text: "x", html: "x" });
  await soon(() => expect(mails.stalledCount()).toBe(1));
  mailer.abortAfter(50);
  const text = "The mail server did not accept the mail in time.";
  expect(await sending).toMatchObject({ text, isPermanent: false });
  mailer.close();
});
