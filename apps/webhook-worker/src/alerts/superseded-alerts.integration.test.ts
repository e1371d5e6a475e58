import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createEgressAgent } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { createMailer } from "../mail/mailer.ts";
import { clock, createAlertHarness, dailyAlert, soon } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createAlertSender } from "./send-alert.ts";
import { startAlerts } from "./start-alerts.ts";

test("sends the next step of a case with the step before it, which no message calls resolved", async () => {
  const box = createSecretBox(randomBytes(32).toString("base64"));
  const policy = { allowInsecureTargets: true };
  const agent = createEgressAgent(policy);
  const database = await openTestDatabase();
  const mails = await startMailServer();
  const mailer = createMailer({ smtpUrl: mails.url, from: "alerts@example.com" });
  const sender = createAlertSender({ mailer, appUrl: "https://tracking.example.com", box, agent, policy });
  const logger = createLogger({ service: "test", level: "silent" });
  const options = { database, clock, sender, channels: ["email"] as const, logger, everyMs: 100 };
  const alerts = startAlerts({ ...options, onSettled: () => undefined });
  try {
    const harness = createAlertHarness(database, box);
    const account = await harness.newAccount();
    const ids = await harness.open(account, ["STEP1", "STEP2"], "last_free_day_soon");
    await harness.subscribe(account, { includesResolved: true });
    const nextDigestAt = instant("2099-01-01T07:00:00.000Z");
    const digest = await harness.subscribe(account, { ...dailyAlert, nextDigestAt });
    await harness.supersede(account, ids, "last_free_day_today");
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    // The next step is no alert for who subscribes to the kind of the step before it alone.
    const other = await harness.newAccount();
    const [otherId = ""] = await harness.open(other, ["STEP3"], "last_free_day_soon");
    await harness.subscribe(other, { includesResolved: true, kinds: ["last_free_day_soon"] });
    await harness.supersede(other, [otherId], "last_free_day_today");
    await soon(() => expect(mails.mailsTo(other.email)).toHaveLength(1));
    expect(mails.mailsTo(other.email)[0]?.subject).toBe("1 exception resolved (Urgent)");
    const [mail] = mails.mailsTo(account.email);
    expect(mail?.subject).toBe("2 exceptions opened (Urgent)");
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain("Last free day is today (was: last free day soon)");
      expect(part).not.toContain("esolved");
    }
    const sendDigest = () =>
      harness.query("UPDATE alert_subscriptions SET next_digest_at = now() WHERE id = $1", digest);
    await sendDigest();
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(2));
    const first = mails.mailsTo(account.email)[1];
    expect(first?.subject).toBe("Daily digest: 2 exceptions open, 2 new (Morning)");
    expect(first?.text).toContain("STEP1: Last free day is today (was: last free day soon)");
    await sendDigest();
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(3));
    expect(mails.mailsTo(account.email)[2]?.text).not.toContain("was:");
  } finally {
    await alerts.stop();
    mailer.close();
    await Promise.all([mails.close(), agent.destroy()]);
    await database.close();
  }
});
