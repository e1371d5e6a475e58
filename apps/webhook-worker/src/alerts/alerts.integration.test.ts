import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createEgressAgent } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { claimAlerts, unsubscribeAlert } from "@svc/persistence/alerts";
import { notifyExceptions } from "@svc/persistence/exceptions";
import { createMemberRepository } from "@svc/persistence/members";
import { seedReferenceData } from "@svc/persistence/seed";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { startWebhookSink, type WebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createMailer } from "../mail/mailer.ts";
import { clock, createAlertRig, dailyAlert, soon } from "../testing/alert-rig.ts";
import { startDrippingServer, startMailServer } from "../testing/mail-server.ts";
import { type AlertSender, createAlertSender } from "./send-alert.ts";
import { startAlerts } from "./start-alerts.ts";

const box = createSecretBox(randomBytes(32).toString("base64"));
const policy = { allowInsecureTargets: true };
const agent = createEgressAgent(policy);
const appUrl = "https://tracking.example.com";
const from = "alerts@example.com";
const at = instant("2026-11-20T10:00:00.000Z");

let sender: AlertSender;
let alerts: ReturnType<typeof startAlerts>;
const outcomes: string[] = [];
const sinks: WebhookSink[] = [];
// The hook stops the loops before the stores below are closed.
afterAll(async () => {
  await alerts.stop();
  await Promise.all([...sinks.map((sink) => sink.close()), agent.destroy()]);
});

const database = started(openTestDatabase);
const rig = started(() => createAlertRig(database, box));
const mails = started(startMailServer);
const mailer = started(() => createMailer({ smtpUrl: mails.url, from }));

const options = () => ({
  database,
  clock,
  sender,
  channels: ["email", "slack", "teams"] as const,
  logger: createLogger({ service: "test", level: "silent" }),
  everyMs: 100,
  onSettled: (_channel: string, outcome: string) => void outcomes.push(outcome),
});

beforeAll(() => {
  sender = createAlertSender({ mailer, appUrl, box, agent, policy });
  alerts = startAlerts(options());
});

const settle = (account: { readonly accountId: string }) =>
  soon(async () => expect(await rig.due(account.accountId)).toEqual([]));

describe("mails at once", () => {
  test("link to the exception's page and can be unsubscribed with one click", async () => {
    const account = await rig.newAccount("<b>North & South</b>");
    const id = await rig.subscribe(account, { name: "Urgent\r\nBcc: all@example.com" });
    const [exceptionId] = await rig.open(account, ["MAEU<script>1"]);
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    const [mail] = mails.mailsTo(account.email);
    expect(mail?.subject).toBe("MAEU<script>1: On hold: freight");
    expect(mail?.from?.address).toBe("alerts@example.com");
    for (const part of [mail?.text, mail?.html]) expect(part).toContain(`${appUrl}/attention/${exceptionId}`);
    expect(mail?.html).toContain("MAEU&lt;script&gt;1");
    expect(mail?.html).toContain("&lt;b&gt;North &amp; South&lt;/b&gt;");
    expect(mail?.html).not.toContain("<script>");
    expect(mail?.head).not.toMatch(/^bcc:/im);
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    const [row] = await rig.query<{ token: string }>(
      "SELECT unsubscribe_token AS token FROM alert_subscriptions WHERE id = $1",
      id,
    );
    expect(header("list-unsubscribe")).toBe(`<${appUrl}/alerts/unsubscribe/${row?.token}>`);
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    await soon(async () => expect((await rig.find(account, id))?.lastSentAt).not.toBeNull());
    await unsubscribeAlert(database.sql, row?.token ?? "");
    await rig.open(account, ["MAEU2"]);
    expect(await rig.query("SELECT 1 FROM alert_items WHERE account_id = $1", account.accountId)).toEqual([]);
    expect(await rig.find(account, id)).toMatchObject({ active: false, unsubscribedAt: expect.any(String) });
  });

  test("a thousand exceptions are one mail with counts", async () => {
    const account = await rig.newAccount();
    const id = await rig.subscribe(account);
    await rig.open(
      account,
      Array.from({ length: 1_000 }, (_, index) => `FLOOD${index}`),
    );
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    await settle(account);
    const sent = mails.mailsTo(account.email);
    expect([sent.length, sent[0]?.subject, (await rig.messagesOf(id)).length]).toEqual([
      1,
      "1000 exceptions opened (Urgent)",
      1,
    ]);
    expect(sent[0]?.text).toContain("1000 × hold");
    expect(sent[0]?.text).toContain("and 950 more");
  });

  test("are sent for what matches the filter, and for what is resolved where that is chosen", async () => {
    const account = await rig.newAccount();
    const other = await rig.newAccount();
    const [fees, resolved, elsewhere] = [
      await rig.subscribe(account, { name: "Fees", kinds: ["fee"] }),
      await rig.subscribe(account, { name: "Both", includesResolved: true, carriers: ["MAEU"] }),
      await rig.subscribe(other),
    ];
    const ids = await rig.open(account, ["MAEU3"]);
    await settle(account);
    await rig.query(
      "UPDATE exceptions SET resolved_at = now(), resolution = 'cleared' WHERE account_id = $1",
      account.accountId,
    );
    await rig.change(account.accountId, [], ids);
    await soon(async () => expect(await rig.messagesOf(resolved)).toHaveLength(2));
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(2));
    expect(mails.mailsTo(account.email).map(({ subject }) => subject)).toEqual([
      "MAEU3: On hold: freight",
      "1 exception resolved (Both)",
    ]);
    expect(mails.mailsTo(account.email)[1]?.text).toContain("On hold: freight (the condition ended)");
    expect([await rig.messagesOf(fees), await rig.messagesOf(elsewhere)]).toEqual([[], []]);
  });

  test("are sent for the records of a saved view", async () => {
    await seedReferenceData(database);
    const account = await rig.newAccount();
    const of = (list: string, filters: object) => rig.addView(account, list, filters);
    const matching = [
      await of("exceptions", {}),
      await of("exceptions", { kind: "hold", owner: "none", status: "resolved" }),
      await of("shipments", {}),
      await of("shipments", {
        status: "in_transit",
        carrier: "MAEU",
        tag: "reefer",
        port: "NLRTM",
        tracking: "active",
      }),
      await of("shipments", { port: "CNSHA" }),
      await of("shipments", { customer: "OF viewed" }),
      await of("shipments", { customer_name: "customer of VIEWED1" }),
    ];
    const others = [
      await of("exceptions", { kind: "fee" }),
      await of("exceptions", { owner: "me" }),
      await of("shipments", { status: "pending" }),
      await of("shipments", { carrier: "HLCU" }),
      await of("shipments", { tag: "dry" }),
      await of("shipments", { customer: "another" }),
      await of("shipments", { customer_name: "Customer of viewed" }),
      await of("shipments", { port: "USLAX" }),
      await of("shipments", { tracking: "stopped" }),
      await of("shipments", { carrier: "MAEU", tag: "dry" }),
      await of("containers", {}),
    ];
    const subscribe = (savedViewId: string) => rig.subscribe(account, { savedViewId });
    const [sent, unsent] = [await Promise.all(matching.map(subscribe)), await Promise.all(others.map(subscribe))];
    await rig.openOfShipment(account, "VIEWED1");
    for (const id of sent) await soon(async () => expect(await rig.messagesOf(id)).toHaveLength(1));
    await settle(account);
    for (const id of unsent) expect(await rig.messagesOf(id)).toEqual([]);
  });

  test("an exception that is over before its mail is sent is not mailed", async () => {
    const account = await rig.newAccount();
    const id = await rig.subscribe(account);
    await rig.query("UPDATE accounts SET suspended_at = now() WHERE id = $1", account.accountId);
    await rig.open(account, ["MAEU4"]);
    await rig.query(
      "UPDATE exceptions SET resolved_at = now(), resolution = 'cleared' WHERE account_id = $1",
      account.accountId,
    );
    await rig.query("UPDATE accounts SET suspended_at = NULL WHERE id = $1", account.accountId);
    await settle(account);
    expect(await rig.messagesOf(id)).toEqual([]);
  });

  test("a change that is rolled back is not mailed", async () => {
    const account = await rig.newAccount();
    await rig.subscribe(account);
    const [id = ""] = await rig.open(account, ["MAEU5"]);
    await settle(account);
    const rolledBack = database.transaction(async (sql) => {
      const members = () => createMemberRepository(sql).list(account.accountId);
      const changes = { openedIds: [id], resolvedIds: [], now: at, members, describe: () => "[]" };
      await notifyExceptions(sql, account.accountId, changes);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await rig.query("SELECT 1 FROM alert_items WHERE account_id = $1", account.accountId)).toEqual([]);
  });
});

describe("failures", () => {
  test("a refused recipient is not tried again, and the subscription says so", async () => {
    const account = await rig.newAccount();
    const id = await rig.subscribe(account);
    mails.refuse(account.email, 550);
    await rig.open(account, ["MAEU6"]);
    await soon(async () => expect((await rig.messagesOf(id))[0]?.failed_at).toEqual(expect.any(String)));
    expect((await rig.find(account, id))?.lastError).toBe("The mail server refused (550).");
    expect(mails.mailsTo(account.email)).toEqual([]);
  });

  test("a server that is busy is tried again with the same mail", async () => {
    const account = await rig.newAccount();
    const id = await rig.subscribe(account);
    mails.refuse(account.email, 451);
    await rig.open(account, ["MAEU7"]);
    await soon(async () => expect((await rig.find(account, id))?.lastError).toBe("The mail server refused (451)."));
    expect(await rig.messagesOf(id)).toMatchObject([{ attempts: 1, sent_at: null, failed_at: null }]);
    mails.refuse(account.email, null);
    await rig.query(
      "UPDATE alert_messages SET next_attempt_at = now() - interval '1 second' WHERE subscription_id = $1",
      id,
    );
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    await soon(async () => expect((await rig.find(account, id))?.lastError).toBeNull());
    expect(await rig.messagesOf(id)).toMatchObject([{ attempts: 2, sent_at: expect.any(String), error: null }]);
  });

  test("a sender that ends before it records a mail leads to one more with the same Message-ID", async () => {
    const account = await rig.newAccount();
    await alerts.stop();
    const id = await rig.subscribe(account);
    await rig.sendTest(account, id);
    // Due at the next millisecond: times are stored rounded.
    const claim = () => claimAlerts(database.sql, ["email"]);
    await soon(async () => expect(await Promise.all((await claim()).map(sender.send))).toEqual([null]));
    expect(await claimAlerts(database.sql, ["email"])).toEqual([]);
    await rig.query(
      "UPDATE alert_messages SET next_attempt_at = now() - interval '1 second' WHERE subscription_id = $1",
      id,
    );
    alerts = startAlerts(options());
    await soon(async () => expect((await rig.find(account, id))?.lastSentAt).not.toBeNull());
    const [first, second, ...more] = mails.mailsTo(account.email);
    expect([first?.messageId === second?.messageId, more]).toEqual([true, []]);
  });

  test("a mail server that sends single bytes is given up in time, and the mail is tried again", async () => {
    const dripping = await startDrippingServer();
    const account = await rig.newAccount();
    await alerts.stop();
    const id = await rig.subscribe(account);
    await rig.open(account, ["MAEU15"]);
    const slow = createMailer({ smtpUrl: dripping.url, from, timeoutMs: 1_500 });
    sender = createAlertSender({ mailer: slow, appUrl, box, agent, policy });
    alerts = startAlerts(options());
    const lastError = "The mail server did not accept the mail in time.";
    await soon(async () => expect(await rig.find(account, id)).toMatchObject({ lastError, lastSentAt: null }));
    await soon(() => expect(dripping.openConnections()).toBe(0));
    await alerts.stop();
    slow.close();
    await dripping.close();
    sender = createAlertSender({ mailer, appUrl, box, agent, policy });
    alerts = startAlerts(options());
    await rig.query("UPDATE alert_messages SET next_attempt_at = now() WHERE subscription_id = $1", id);
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    expect(await rig.find(account, id)).toMatchObject({ lastAttemptAt: expect.any(String) });
  });

  test("a member who is removed, and a suspended account, receive nothing", async () => {
    const removed = await rig.newAccount();
    await rig.subscribe(removed);
    const suspended = await rig.newAccount();
    const waiting = await rig.subscribe(suspended);
    await rig.query("DELETE FROM memberships WHERE account_id = $1", removed.accountId);
    await rig.query("UPDATE accounts SET suspended_at = now() WHERE id = $1", suspended.accountId);
    await rig.open(removed, ["MAEU8"]);
    await rig.open(suspended, ["MAEU9"]);
    const bystander = await rig.newAccount();
    await rig.subscribe(bystander);
    await rig.open(bystander, ["MAEU10"]);
    await soon(() => expect(mails.mailsTo(bystander.email)).toHaveLength(1));
    expect([mails.mailsTo(removed.email), mails.mailsTo(suspended.email)]).toEqual([[], []]);
    expect(await rig.messagesOf(waiting)).toEqual([]);
  });
});

describe("digests", () => {
  test("list what is open with what is new, are due next at the hour, and are not sent when nothing is open", async () => {
    const account = await rig.newAccount();
    const id = await rig.subscribe(account, {
      ...dailyAlert,
      nextDigestAt: instant("2099-01-01T07:00:00.000Z"),
      minimumAmount: 400,
    });
    const cheap = await rig.subscribe(account, { ...dailyAlert, name: "Dear", nextDigestAt: at, minimumAmount: 1_000 });
    await rig.open(account, ["MAEU11", "MAEU12"]);
    expect(await rig.messagesOf(id)).toEqual([]);
    const makeDue = () =>
      rig.query("UPDATE alert_subscriptions SET next_digest_at = now() - interval '1 second' WHERE id = $1", id);
    await makeDue();
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    expect(mails.mailsTo(account.email)[0]?.subject).toBe("Daily digest: 2 exceptions open, 2 new (Morning)");
    const next = (await rig.find(account, id))?.nextDigestAt ?? "";
    expect(new Date(next).toLocaleTimeString("en-GB", { timeZone: "Europe/Berlin" })).toBe("08:00:00");
    await makeDue();
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(2));
    expect(mails.mailsTo(account.email)[1]?.subject).toBe("Daily digest: 2 exceptions open, 0 new (Morning)");
    await rig.query(
      "UPDATE exceptions SET resolved_at = now(), resolution = 'cleared' WHERE account_id = $1",
      account.accountId,
    );
    await makeDue();
    await soon(async () => expect(((await rig.find(account, id))?.nextDigestAt ?? "") > at).toBe(true));
    await soon(async () => {
      const [row] = await rig.query("SELECT 1 FROM alert_subscriptions WHERE id = $1 AND next_digest_at <= now()", id);
      expect(row).toBeUndefined();
    });
    expect([(await rig.messagesOf(id)).length, await rig.messagesOf(cheap)]).toEqual([2, []]);
  });
});

describe("chat channels", () => {
  test.each(["slack", "teams"] as const)("%s receives texts that are no markup, and the link", async (channel) => {
    const account = await rig.newAccount("<!channel> *Co*");
    const sink = await startWebhookSink();
    sinks.push(sink);
    const id = await rig.subscribeChannel(account, channel, `${sink.url}/secret`);
    const [exceptionId] = await rig.open(account, ["MAEU<13>"]);
    await soon(() => expect(sink.deliveries).toHaveLength(1));
    const body = String(sink.deliveries[0]?.body);
    expect(body).toContain(`${appUrl}/attention/${exceptionId}`);
    if (channel === "slack") expect(body).toContain("&lt;!channel&gt;");
    else expect(JSON.parse(body).attachments[0].content.type).toBe("AdaptiveCard");
    await soon(async () => expect((await rig.find(account, id))?.lastSentAt).not.toBeNull());
    const sealed = "SELECT sealed_url FROM alert_subscriptions WHERE id = $1";
    const [row] = await rig.query<{ sealed_url: Buffer }>(sealed, id);
    expect(row?.sealed_url.includes("secret")).toBe(false);
  });

  test("a channel at a private address is not posted to", async () => {
    const account = await rig.newAccount();
    const id = await rig.subscribeChannel(account, "slack", "https://10.0.0.1/hook");
    await rig.open(account, ["MAEU14"]);
    await soon(async () => expect((await rig.find(account, id))?.lastError).toMatch(/not at a public address/));
    expect(await rig.messagesOf(id)).toMatchObject([{ attempts: 1, failed_at: expect.any(String) }]);
  });
});
