import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { dayMs, instant } from "@svc/domain";
import { createEgressAgent } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { createMailer } from "../mail/mailer.ts";
import { createAlertHarness, dailyAlert, soon } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createAlertSender } from "./send-alert.ts";
import { startAlerts } from "./start-alerts.ts";

test("lists a snoozed exception in a digest once its snooze has ended by the tracking clock", async () => {
  const box = createSecretBox(randomBytes(32).toString("base64"));
  const policy = { allowInsecureTargets: true };
  const agent = createEgressAgent(policy);
  const database = await openTestDatabase();
  const mails = await startMailServer();
  const mailer = createMailer({ smtpUrl: mails.url, from: "alerts@example.com" });
  const sender = createAlertSender({ mailer, appUrl: "https://tracking.example.com", box, agent, policy });
  const logger = createLogger({ service: "test", level: "silent" });
  let aheadMs = 0;
  const clock = { now: () => instant(Date.now() + aheadMs) };
  const options = { database, clock, sender, channels: ["email"] as const, logger, everyMs: 100 };
  const alerts = startAlerts({ ...options, onSettled: () => undefined });
  try {
    const harness = createAlertHarness(database, box);
    const account = await harness.newAccount();
    const id = await harness.subscribe(account, { ...dailyAlert, nextDigestAt: instant("2099-01-01T07:00:00.000Z") });
    await harness.open(account, ["MAEU13"]);
    const [snoozed] = await harness.open(account, ["MAEU14"]);
    await harness.query("UPDATE exceptions SET snoozed_until = now() + interval '1 day' WHERE id = $1", snoozed);
    const makeDue = () =>
      harness.query("UPDATE alert_subscriptions SET next_digest_at = now() - interval '1 second' WHERE id = $1", id);
    const subjects = () => mails.mailsTo(account.email).map(({ subject }) => subject);
    await makeDue();
    await soon(() => expect(subjects()).toEqual(["Daily digest: 1 exception open, 1 new (Morning)"]));
    aheadMs = 2 * dayMs;
    await makeDue();
    await soon(() => expect(subjects()[1]).toBe("Daily digest: 2 exceptions open, 0 new (Morning)"));
  } finally {
    await alerts.stop();
    mailer.close();
    await Promise.all([mails.close(), agent.destroy()]);
    await database.close();
  }
});
