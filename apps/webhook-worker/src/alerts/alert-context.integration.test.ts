import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createEgressAgent } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { seedReferenceData } from "@svc/persistence/seed";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { startWebhookSink } from "@svc/testkit";
import { createMailer } from "../mail/mailer.ts";
import { clock, createAlertHarness, dailyAlert, soon } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createAlertSender } from "./send-alert.ts";
import { startAlerts } from "./start-alerts.ts";

test("shows whose cargo it is, its route, vessel, ETA and delay in mails, digests and chats", async () => {
  const box = createSecretBox(randomBytes(32).toString("base64"));
  const policy = { allowInsecureTargets: true };
  const agent = createEgressAgent(policy);
  const database = await openTestDatabase();
  await seedReferenceData(database);
  const [mails, sink] = [await startMailServer(), await startWebhookSink()];
  const mailer = createMailer({ smtpUrl: mails.url, from: "alerts@example.com" });
  const sender = createAlertSender({ mailer, appUrl: "https://tracking.example.com", box, agent, policy });
  const logger = createLogger({ service: "test", level: "silent" });
  const channels = ["email", "slack"] as const;
  const alerts = startAlerts({ database, clock, sender, channels, logger, everyMs: 100, onSettled: () => undefined });
  try {
    const harness = createAlertHarness(database, box);
    const account = await harness.newAccount();
    await harness.subscribe(account, { kinds: ["rollover"] });
    await harness.subscribeChannel(account, "slack", sink.url);
    const nextDigestAt = instant("2099-01-01T07:00:00.000Z");
    const digest = await harness.subscribe(account, { ...dailyAlert, nextDigestAt });
    await harness.openOfShipment(account, "SBX1", "rollover");
    await harness.openOfShipment(account, "SBX2");
    const cargo = (number: string) => `Customer of ${number} · PO-1, PO-2, +1 · Shanghai → Rotterdam · SBX ALPHA 001E`;
    const rolledOver = `${cargo("SBX1")} · ETA 22 Dec 2026, first 20 Dec 2026 (+2 days)`;
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    const [mail] = mails.mailsTo(account.email);
    for (const part of [mail?.text, mail?.html]) expect(part).toContain(rolledOver);
    await soon(() => {
      const posted = sink.deliveries.map(({ body }) => String(JSON.parse(String(body)).text)).join("\n");
      expect(posted.split("\n")).toEqual(expect.arrayContaining([rolledOver, cargo("SBX2")]));
    });
    await harness.query("UPDATE alert_subscriptions SET next_digest_at = now() WHERE id = $1", digest);
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(2));
    const lines = mails.mailsTo(account.email)[1]?.text?.split("\n");
    expect(lines).toEqual(expect.arrayContaining([rolledOver, cargo("SBX2")]));
  } finally {
    await alerts.stop();
    mailer.close();
    await Promise.all([mails.close(), sink.close(), agent.destroy()]);
    await database.close();
  }
});
