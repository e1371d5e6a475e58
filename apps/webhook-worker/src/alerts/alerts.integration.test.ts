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
import { started } from "@svc/testkit/started";
import { createMailer } from "../mail/mailer.ts";
import { clock, createAlertHarness, dailyAlert, soon } from "../testing/alert-harness.ts";
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
// The hook stops the loops before the stores below are closed.
afterAll(async () => {
  await alerts.stop();
  await agent.destroy();
});

const database = started(openTestDatabase);
const harness = started(() => createAlertHarness(database, box));
const mails = started(startMailServer);
const mailer = started(() => createMailer({ smtpUrl: mails.url, from }));

const options = () => ({
  database,
  clock,
  sender,
  channels: ["email"] as const,
  logger: createLogger({ service: "test", level: "silent" }),
  everyMs: 100,
  onSettled: (_channel: string, outcome: string) => void outcomes.push(outcome),
});

beforeAll(() => {
  sender = createAlertSender({ mailer, appUrl, box, agent, policy });
  alerts = startAlerts(options());
});

const settle = (account: { readonly accountId: string }) =>
  soon(async () => expect(await harness.due(account.accountId)).toEqual([]));

describe("mails at once", () => {
  test("link to the exception's page and can be unsubscribed with one click", async () => {
    const account = await harness.newAccount("<b>North & South</b>");
    const id = await harness.subscribe(account, { name: "Urgent\r\nBcc: all@example.com" });
    const [exceptionId] = await harness.open(account, ["MAEU<script>1"]);
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
    const [row] = await harness.query<{ token: string }>(
      "SELECT unsubscribe_token AS token FROM alert_subscriptions WHERE id = $1",
      id,
    );
    expect(header("list-unsubscribe")).toBe(`<${appUrl}/alerts/unsubscribe/${row?.token}>`);
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    await soon(async () => expect((await harness.find(account, id))?.lastSentAt).not.toBeNull());
    await unsubscribeAlert(database.sql, row?.token ?? "");
    await harness.open(account, ["MAEU2"]);
    expect(await harness.query("SELECT 1 FROM alert_items WHERE account_id = $1", account.accountId)).toEqual([]);
    expect(await harness.find(account, id)).toMatchObject({ active: false, unsubscribedAt: expect.any(String) });
  });

  test("combine a thousand exceptions in one mail with counts", async () => {
    const account = await harness.newAccount();
    const id = await harness.subscribe(account);
    await harness.open(
      account,
      Array.from({ length: 1_000 }, (_, index) => `FLOOD${index}`),
    );
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    await settle(account);
    const sent = mails.mailsTo(account.email);
    expect([sent.length, sent[0]?.subject, (await harness.messagesOf(id)).length]).toEqual([
      1,
      "1000 exceptions opened (Urgent)",
      1,
    ]);
    expect(sent[0]?.text).toContain("1000 × hold");
    expect(sent[0]?.text).toContain("and 950 more");
  });

  test("are sent for what matches the filter, and for what is resolved where that is chosen", async () => {
    const account = await harness.newAccount();
    const other = await harness.newAccount();
    const [fees, resolved, otherAccountAlert] = [
      await harness.subscribe(account, { name: "Fees", kinds: ["fee"] }),
      await harness.subscribe(account, { name: "Both", includesResolved: true, carriers: ["MAEU"] }),
      await harness.subscribe(other),
    ];
    const ids = await harness.open(account, ["MAEU3"]);
    await settle(account);
    await harness.query(
      "UPDATE exceptions SET resolved_at = now(), resolution = 'cleared' WHERE account_id = $1",
      account.accountId,
    );
    await harness.change(account.accountId, [], ids);
    await soon(async () => expect(await harness.messagesOf(resolved)).toHaveLength(2));
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(2));
    expect(mails.mailsTo(account.email).map(({ subject }) => subject)).toEqual([
      "MAEU3: On hold: freight",
      "1 exception resolved (Both)",
    ]);
    expect(mails.mailsTo(account.email)[1]?.text).toContain("On hold: freight (the condition ended)");
    expect([await harness.messagesOf(fees), await harness.messagesOf(otherAccountAlert)]).toEqual([[], []]);
  });

  test("are sent for the records of a saved view", async () => {
    await seedReferenceData(database);
    const account = await harness.newAccount();
    const addView = (list: string, filters: object) => harness.addView(account, list, filters);
    const matching = [
      await addView("exceptions", {}),
      await addView("exceptions", { kind: "hold", owner: "none", status: "resolved" }),
      await addView("shipments", {}),
      await addView("shipments", {
        status: "in_transit",
        carrier: "MAEU",
        tag: "reefer",
        port: "NLRTM",
        tracking: "active",
      }),
      await addView("shipments", { port: "CNSHA" }),
      await addView("shipments", { customer: "OF viewed" }),
      await addView("shipments", { customer_name: "customer of VIEWED1" }),
    ];
    const others = [
      await addView("exceptions", { kind: "fee" }),
      await addView("exceptions", { owner: "me" }),
      await addView("shipments", { status: "pending" }),
      await addView("shipments", { carrier: "HLCU" }),
      await addView("shipments", { tag: "dry" }),
      await addView("shipments", { customer: "another" }),
      await addView("shipments", { customer_name: "Customer of viewed" }),
      await addView("shipments", { port: "USLAX" }),
      await addView("shipments", { tracking: "stopped" }),
      await addView("shipments", { carrier: "MAEU", tag: "dry" }),
      await addView("containers", {}),
    ];
    const subscribe = (savedViewId: string) => harness.subscribe(account, { savedViewId });
    const [sent, unsent] = [await Promise.all(matching.map(subscribe)), await Promise.all(others.map(subscribe))];
    await harness.openOfShipment(account, "VIEWED1");
    for (const id of sent) await soon(async () => expect(await harness.messagesOf(id)).toHaveLength(1));
    await settle(account);
    for (const id of unsent) expect(await harness.messagesOf(id)).toEqual([]);
  });

  test("leave out an exception that is over before its mail is sent", async () => {
    const account = await harness.newAccount();
    const id = await harness.subscribe(account);
    await harness.query("UPDATE accounts SET suspended_at = now() WHERE id = $1", account.accountId);
    await harness.open(account, ["MAEU4"]);
    await harness.query(
      "UPDATE exceptions SET resolved_at = now(), resolution = 'cleared' WHERE account_id = $1",
      account.accountId,
    );
    await harness.query("UPDATE accounts SET suspended_at = NULL WHERE id = $1", account.accountId);
    await settle(account);
    expect(await harness.messagesOf(id)).toEqual([]);
  });

  test("leave out a change that is rolled back", async () => {
    const account = await harness.newAccount();
    await harness.subscribe(account);
    const [id = ""] = await harness.open(account, ["MAEU5"]);
    await settle(account);
    const rolledBack = database.transaction(async (sql) => {
      const members = () => createMemberRepository(sql).list(account.accountId);
      const changes = { openedIds: [id], resolvedIds: [], now: at, members, describe: () => "[]" };
      await notifyExceptions(sql, account.accountId, changes);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await harness.query("SELECT 1 FROM alert_items WHERE account_id = $1", account.accountId)).toEqual([]);
  });
});

describe("after a failure", () => {
  test("does not retry a refused recipient, and shows it in the subscription", async () => {
    const account = await harness.newAccount();
    const id = await harness.subscribe(account);
    mails.refuse(account.email, 550);
    await harness.open(account, ["MAEU6"]);
    await soon(async () => expect((await harness.messagesOf(id))[0]?.failed_at).toEqual(expect.any(String)));
    expect((await harness.find(account, id))?.lastError).toBe("The mail server refused (550).");
    expect(mails.mailsTo(account.email)).toEqual([]);
  });

  test("retries the same mail at a busy server", async () => {
    const account = await harness.newAccount();
    const id = await harness.subscribe(account);
    mails.refuse(account.email, 451);
    await harness.open(account, ["MAEU7"]);
    await soon(async () => expect((await harness.find(account, id))?.lastError).toBe("The mail server refused (451)."));
    expect(await harness.messagesOf(id)).toMatchObject([{ attempts: 1, sent_at: null, failed_at: null }]);
    mails.refuse(account.email, null);
    await harness.query(
      "UPDATE alert_messages SET next_attempt_at = now() - interval '1 second' WHERE subscription_id = $1",
      id,
    );
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    await soon(async () => expect((await harness.find(account, id))?.lastError).toBeNull());
    expect(await harness.messagesOf(id)).toMatchObject([{ attempts: 2, sent_at: expect.any(String), error: null }]);
  });

  test("sends a mail again with the same Message-ID when its sender ends before it records it", async () => {
    const account = await harness.newAccount();
    await alerts.stop();
    const id = await harness.subscribe(account);
    await harness.sendTest(account, id);
    // Due at the next millisecond: times are stored rounded.
    const claim = () => claimAlerts(database.sql, ["email"]);
    await soon(async () => expect(await Promise.all((await claim()).map(sender.send))).toEqual([null]));
    expect(await claimAlerts(database.sql, ["email"])).toEqual([]);
    await harness.query(
      "UPDATE alert_messages SET next_attempt_at = now() - interval '1 second' WHERE subscription_id = $1",
      id,
    );
    alerts = startAlerts(options());
    await soon(async () => expect((await harness.find(account, id))?.lastSentAt).not.toBeNull());
    const [first, second, ...more] = mails.mailsTo(account.email);
    expect([first?.messageId === second?.messageId, more]).toEqual([true, []]);
  });

  test("gives up on a mail server that sends single bytes in time, and retries the mail", async () => {
    const dripping = await startDrippingServer();
    const account = await harness.newAccount();
    await alerts.stop();
    const id = await harness.subscribe(account);
    await harness.open(account, ["MAEU15"]);
    const slow = createMailer({ smtpUrl: dripping.url, from, timeoutMs: 1_500 });
    sender = createAlertSender({ mailer: slow, appUrl, box, agent, policy });
    alerts = startAlerts(options());
    const lastError = "The mail server did not accept the mail in time.";
    await soon(async () => expect(await harness.find(account, id)).toMatchObject({ lastError, lastSentAt: null }));
    await soon(() => expect(dripping.openConnections()).toBe(0));
    await alerts.stop();
    slow.close();
    await dripping.close();
    sender = createAlertSender({ mailer, appUrl, box, agent, policy });
    alerts = startAlerts(options());
    await harness.query("UPDATE alert_messages SET next_attempt_at = now() WHERE subscription_id = $1", id);
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    expect(await harness.find(account, id)).toMatchObject({ lastAttemptAt: expect.any(String) });
  });

  test("sends nothing to a removed member or a suspended account", async () => {
    const removed = await harness.newAccount();
    await harness.subscribe(removed);
    const suspended = await harness.newAccount();
    const waiting = await harness.subscribe(suspended);
    await harness.query("DELETE FROM memberships WHERE account_id = $1", removed.accountId);
    await harness.query("UPDATE accounts SET suspended_at = now() WHERE id = $1", suspended.accountId);
    await harness.open(removed, ["MAEU8"]);
    await harness.open(suspended, ["MAEU9"]);
    const bystander = await harness.newAccount();
    await harness.subscribe(bystander);
    await harness.open(bystander, ["MAEU10"]);
    await soon(() => expect(mails.mailsTo(bystander.email)).toHaveLength(1));
    expect([mails.mailsTo(removed.email), mails.mailsTo(suspended.email)]).toEqual([[], []]);
    expect(await harness.messagesOf(waiting)).toEqual([]);
  });
});

describe("digests", () => {
  test("list what is open with what is new, are due next at the hour, and are not sent when nothing is open", async () => {
    const account = await harness.newAccount();
    const id = await harness.subscribe(account, {
      ...dailyAlert,
      nextDigestAt: instant("2099-01-01T07:00:00.000Z"),
      minimumAmount: 400,
      minimumAmountCurrency: "USD",
    });
    const cheap = await harness.subscribe(account, {
      ...dailyAlert,
      name: "Dear",
      nextDigestAt: at,
      minimumAmount: 1_000,
    });
    const inEuro = await harness.subscribe(account, {
      ...dailyAlert,
      name: "Euro",
      nextDigestAt: at,
      minimumAmount: 400,
      minimumAmountCurrency: "EUR",
    });
    await harness.open(account, ["MAEU11", "MAEU12"]);
    expect(await harness.messagesOf(id)).toEqual([]);
    const makeDue = () =>
      harness.query("UPDATE alert_subscriptions SET next_digest_at = now() - interval '1 second' WHERE id = $1", id);
    await makeDue();
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(1));
    expect(mails.mailsTo(account.email)[0]?.subject).toBe("Daily digest: 2 exceptions open, 2 new (Morning)");
    const next = (await harness.find(account, id))?.nextDigestAt ?? "";
    expect(new Date(next).toLocaleTimeString("en-GB", { timeZone: "Europe/Berlin" })).toBe("08:00:00");
    await makeDue();
    await soon(() => expect(mails.mailsTo(account.email)).toHaveLength(2));
    expect(mails.mailsTo(account.email)[1]?.subject).toBe("Daily digest: 2 exceptions open, 0 new (Morning)");
    await harness.query(
      "UPDATE exceptions SET resolved_at = now(), resolution = 'cleared' WHERE account_id = $1",
      account.accountId,
    );
    await makeDue();
    await soon(async () => expect(((await harness.find(account, id))?.nextDigestAt ?? "") > at).toBe(true));
    await soon(async () => {
      const [row] = await harness.query(
        "SELECT 1 FROM alert_subscriptions WHERE id = $1 AND next_digest_at <= now()",
        id,
      );
      expect(row).toBeUndefined();
    });
    expect((await harness.messagesOf(id)).length).toBe(2);
    expect([await harness.messagesOf(cheap), await harness.messagesOf(inEuro)]).toEqual([[], []]);
  });
});
