import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createSecretBox, uuidV7 } from "@svc/persistence";
import { planAssignmentMail, planMentionMails } from "@svc/persistence/member-mails";
import { createMemberRepository } from "@svc/persistence/members";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { started } from "@svc/testkit/started";
import { createAlertHarness, soon } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createMailer } from "./mailer.ts";
import { startMemberMails } from "./start-member-mails.ts";

const appUrl = "https://tracking.example.com";

const database = started(openTestDatabase);
const harness = started(() => createAlertHarness(database, createSecretBox(randomBytes(32).toString("base64"))));
const mails = started(startMailServer);
const mailer = started(() => createMailer({ smtpUrl: mails.url, from: "alerts@example.com" }));
let sending: ReturnType<typeof startMemberMails> | undefined;
let log = "";
const outcomes: string[] = [];
const onSettled = (kind: string, outcome: string) => void outcomes.push(`${kind} ${outcome}`);

afterEach(() => sending?.stop());

function start(): void {
  const destination = {
    write(line: string) {
      log += line;
    },
  };
  sending = startMemberMails({
    database,
    mailer,
    appUrl,
    everyMs: 50,
    onSettled,
    logger: createLogger({ service: "test", destination }),
  });
}
const settled = () => soon(async () => expect(await harness.query("TABLE mention_mails")).toEqual([]));

type Member = Awaited<ReturnType<typeof harness.newAccount>>;
const plan = (
  { accountId, userId, email }: Member,
  authorUserId: string | null,
  id: string,
  type: "shipment" | "exception",
) =>
  planMentionMails(database.sql, accountId, {
    subject: { type, id, name: "MAEU1" },
    before: null,
    after: `Truck <b> is late, @${email}`,
    authorUserId,
    members: [{ userId, email, receivesMentionMails: true }],
  });

test("sends one mail with the author, the note as text and the page, and does not log the note", async () => {
  const [member, author] = [await harness.newAccount("Nord & Sons"), await harness.newAccount()];
  const id = uuidV7.next();
  await plan(member, author.userId, id, "shipment");
  start();
  await settled();
  const [mail, ...others] = mails.mailsTo(member.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe(`${author.email} mentioned you: shipment MAEU1`);
  expect(mail?.text).toContain(`Truck <b> is late, @${member.email}\n\n${appUrl}/shipments/${id}`);
  expect(mail?.html).toContain("Truck &lt;b&gt; is late");
  expect(mail?.html).toContain("Nord &amp; Sons");
  expect(mail?.html).toContain(`href="${appUrl}/shipments/${id}"`);
  expect(log).toContain("mention_mail.attempted");
  expect(log).not.toContain("Truck");
  expect(log).not.toContain(member.email);
  expect(outcomes).toEqual(["mention sent"]);
});

test("links the mail of an exception to its page, and names an API token as author", async () => {
  const member = await harness.newAccount();
  const id = uuidV7.next();
  await plan(member, null, id, "exception");
  start();
  await settled();
  const [mail] = mails.mailsTo(member.email);
  expect(mail?.text).toContain("An API token mentioned you in the note of an exception of MAEU1");
  expect(mail?.text).toContain(`${appUrl}/attention/${id}`);
});

test("sends no mail to a removed member, and defers the mail of a suspended account", async () => {
  const [removed, suspended] = [await harness.newAccount(), await harness.newAccount()];
  for (const one of [removed, suspended]) await plan(one, null, uuidV7.next(), "shipment");
  await harness.query("DELETE FROM memberships WHERE account_id = $1", removed.accountId);
  await harness.query("UPDATE accounts SET suspended_at = now() WHERE id = $1", suspended.accountId);
  start();
  await soon(async () =>
    expect(await harness.query(`SELECT account_id AS "accountId", attempts FROM mention_mails`)).toEqual([
      { accountId: suspended.accountId, attempts: 0 },
    ]),
  );
  await harness.query("UPDATE accounts SET suspended_at = NULL WHERE id = $1", suspended.accountId);
  await settled();
  expect([mails.mailsTo(removed.email).length, mails.mailsTo(suspended.email).length]).toEqual([0, 1]);
});

test("sends no mail to a member who has disabled these mails since", async () => {
  const member = await harness.newAccount();
  await plan(member, null, uuidV7.next(), "shipment");
  await createMemberRepository(database.sql).setMentionMails(member.accountId, member.userId, false);
  start();
  await settled();
  expect(mails.mailsTo(member.email)).toEqual([]);
});

describe("assignments", () => {
  const assign = async (member: Member, authorUserId: string | null, ids: readonly string[]) => {
    await harness.query("UPDATE exceptions SET owner_user_id = $2 WHERE id = ANY($1::uuid[])", ids, member.userId);
    for (const id of ids) {
      await planAssignmentMail(database.sql, member.accountId, {
        exception: { id, number: "MAEU1" },
        authorUserId,
        owner: { userId: member.userId, receivesMentionMails: true },
      });
    }
    await harness.query("UPDATE mention_mails SET next_attempt_at = now()");
  };

  test("combines several in one mail, with those that the member still has", async () => {
    const [member, author] = [await harness.newAccount("Nord & Sons"), await harness.newAccount()];
    const [first = "", second = "", third = ""] = await harness.open(member, ["ASG1", "ASG2", "ASG3"]);
    await assign(member, author.userId, [first, second, third]);
    await harness.query("UPDATE exceptions SET owner_user_id = NULL WHERE id = $1", third);
    start();
    await settled();
    const [mail, ...others] = mails.mailsTo(member.email);
    expect(others).toEqual([]);
    expect(outcomes.at(-1)).toBe("assignment sent");
    expect(mail?.subject).toBe(`${author.email} assigned 2 exceptions to you`);
    expect(mail?.text).toContain(`[critical] ASG1: On hold: freight\n${appUrl}/attention/${first}`);
    expect(mail?.text).toContain("ASG2");
    expect(mail?.text).not.toContain("ASG3");
    expect(mail?.html).toContain("Nord &amp; Sons");
    expect(mail?.html).toContain(`href="${appUrl}/attention/${second}"`);
  });

  test("describes the superseding exception when the case has moved on", async () => {
    const member = await harness.newAccount();
    const ids = await harness.open(member, ["ASG6"], "last_free_day_today");
    await assign(member, null, ids);
    await harness.supersede(member, ids, "last_free_day_over");
    start();
    await settled();
    const [mail] = mails.mailsTo(member.email);
    expect(mail?.subject).toMatch(/assigned to you: ASG6: Last free day was /);
    expect(mail?.text).not.toContain(ids[0]);
  });

  test("names a single exception in the subject, and sends no mail after the assignment was removed", async () => {
    const [member, other] = [await harness.newAccount(), await harness.newAccount()];
    const [only = ""] = await harness.open(member, ["ASG4"]);
    const [undone = ""] = await harness.open(other, ["ASG5"]);
    await assign(member, null, [only]);
    await assign(other, null, [undone]);
    await harness.query("UPDATE exceptions SET owner_user_id = NULL WHERE id = $1", undone);
    start();
    await settled();
    expect(mails.mailsTo(member.email)[0]?.subject).toBe("An API token assigned to you: ASG4: On hold: freight");
    expect(mails.mailsTo(other.email)).toEqual([]);
  });
});
