import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "@jest/globals";
import { createEgressAgent } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { confirmAlert, findAlertByToken, unsubscribeAlert } from "@svc/persistence/alerts";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { started } from "@svc/testkit/started";
import { createMailer } from "../mail/mailer.ts";
import { clock, createAlertHarness, soon } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createAlertSender } from "./send-alert.ts";
import { startAlerts } from "./start-alerts.ts";

const box = createSecretBox(randomBytes(32).toString("base64"));
const policy = { allowInsecureTargets: true };
const agent = createEgressAgent(policy);
const appUrl = "https://tracking.example.com";

const database = started(openTestDatabase);
const harness = started(() => createAlertHarness(database, box));
const mails = started(startMailServer);
const mailer = started(() => createMailer({ smtpUrl: mails.url, from: "alerts@example.com" }));
started(() =>
  startAlerts({
    database,
    clock,
    channels: ["email"],
    everyMs: 100,
    onSettled: () => undefined,
    sender: createAlertSender({ mailer, appUrl, box, agent, policy }),
    logger: createLogger({ service: "test", level: "silent" }),
  }),
);
afterAll(() => agent.destroy());

describe("a mailbox", () => {
  test("receives only a confirmation request until a reader confirms it; after an unsubscribe, receives another", async () => {
    const account = await harness.newAccount("<b>North & South</b>");
    const mailbox = `ops-${account.userId}@example.com`;
    const id = await harness.subscribeMailbox(account, mailbox);
    await harness.sendTest(account, id);
    await harness.open(account, ["MAEU20"]);
    await soon(() => expect(mails.mailsTo(mailbox)).toHaveLength(1));
    await soon(async () => expect(await harness.due(account.accountId)).toEqual([]));
    await soon(async () => expect(await harness.find(account, id)).toMatchObject({ lastSentAt: expect.any(String) }));
    const [request] = mails.mailsTo(mailbox);
    const token = new RegExp(`${appUrl}/alerts/confirm/([\\w-]{43})`).exec(request?.text ?? "")?.[1] ?? "";
    expect(request?.subject).toBe("Confirm the alert: Urgent");
    expect(request?.html).toContain("&lt;b&gt;North &amp; South&lt;/b&gt;");
    expect(await findAlertByToken(database.sql, token)).toMatchObject({ mailbox, confirmedAt: null, active: false });

    await confirmAlert(database.sql, token, null);
    const confirmed = await harness.find(account, id);
    expect(confirmed).toMatchObject({ active: true, confirmedAt: expect.any(String) });
    await confirmAlert(database.sql, token, null);
    expect(await harness.find(account, id)).toEqual(confirmed);
    await harness.open(account, ["MAEU21"]);
    await soon(() => expect(mails.mailsTo(mailbox)).toHaveLength(2));
    expect(mails.mailsTo(mailbox)[1]?.subject).toBe("MAEU21: On hold: freight");
    await harness.sendTest(account, id);
    await soon(() => expect(mails.mailsTo(mailbox)[2]?.subject).toBe("Test alert: Urgent"));

    await unsubscribeAlert(database.sql, token);
    expect(await harness.find(account, id)).toMatchObject({ active: false, confirmedAt: null });
    await harness.sendTest(account, id);
    await soon(() => expect(mails.mailsTo(mailbox)[3]?.subject).toBe("Confirm the alert: Urgent"));
  });

  test("receives the request in a later attempt when the mail server first refuses it", async () => {
    const account = await harness.newAccount();
    const mailbox = `busy-${account.userId}@example.com`;
    const id = await harness.subscribeMailbox(account, mailbox);
    mails.refuse(mailbox, 451);
    await harness.sendTest(account, id);
    await soon(async () => expect(await harness.messagesOf(id)).toMatchObject([{ attempts: 1, failed_at: null }]));
    await soon(async () => expect((await harness.find(account, id))?.lastError).toBe("The mail server refused (451)."));
    mails.refuse(mailbox, null);
    await harness.query("UPDATE alert_messages SET next_attempt_at = now() WHERE subscription_id = $1", id);
    await soon(() => expect(mails.mailsTo(mailbox)).toHaveLength(1));
  });
});
