import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { findPasswordReset, requestPasswordReset, usePasswordReset } from "@svc/persistence/access";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { started } from "@svc/testkit/started";
import { createAlertHarness, soon } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { startSignInMails } from "./start-sign-in-mails.ts";

const appUrl = "https://tracking.example.com";

const database = started(openTestDatabase);
const harness = started(() => createAlertHarness(database, createSecretBox(randomBytes(32).toString("base64"))));
const mails = started(startMailServer);
const mailer = started(() => createMailer({ smtpUrl: mails.url, from: "alerts@example.com" }));
let sending: ReturnType<typeof startSignInMails> | undefined;
let log = "";
const outcomes: string[] = [];
const onSettled = (kind: string, outcome: string) => void outcomes.push(`${kind} ${outcome}`);

afterEach(() => sending?.stop());

function start(by: Mailer = mailer): void {
  const logger = createLogger({
    service: "test",
    destination: {
      write(line) {
        log += line;
      },
    },
  });
  sending = startSignInMails({ database, mailer: by, appUrl, logger, onSettled, everyMs: 50 });
}
const waiting = () => harness.query("SELECT email FROM sign_in_mails");
const settled = () => soon(async () => expect(await waiting()).toEqual([]));

async function sha256Of(text = ""): Promise<Buffer> {
  const secret = /\/login\/reset\/([\w-]{43})/.exec(text)?.[1] ?? "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return Buffer.from(digest);
}

test("sends one mail for a lost password to the stored address, with a link whose secret is neither stored nor logged", async () => {
  const { email } = await harness.newAccount();
  await requestPasswordReset(database.sql, email.toUpperCase());
  start();
  await soon(() => expect(mails.mailsTo(email)).toHaveLength(1));
  await settled();
  const [mail] = mails.mailsTo(email);
  expect(mail?.subject).toBe("Choose a new password");
  const [, link = "", secret = ""] = /(https:\S+\/login\/reset\/([\w-]{43}))/.exec(mail?.text ?? "") ?? [];
  expect(link).toMatch(/^https:\/\/tracking\.example\.com\//);
  expect(mail?.html).toContain(`href="${link}"`);
  expect(await findPasswordReset(database.sql, await sha256Of(link))).toBe(email);
  const rows = await harness.query("SELECT encode(token_sha256, 'hex') AS hex, * FROM password_resets");
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(log).toContain("sign_in_mail.attempted");
  expect(log).not.toContain(secret);
  expect(log).not.toContain(email);
});

test("sends no mail, and keeps none, when no user has the address or the only account is suspended", async () => {
  const suspended = await harness.newAccount();
  await harness.query("UPDATE accounts SET suspended_at = now() WHERE id = $1", suspended.accountId);
  const unknown = "unknown@example.com";
  for (const email of [suspended.email, unknown]) await requestPasswordReset(database.sql, email);
  start();
  await settled();
  expect([mails.mailsTo(suspended.email), mails.mailsTo(unknown)]).toEqual([[], []]);
});

test("combines several requests before the mail is sent in one mail, and ends an earlier link by a later one", async () => {
  const { email } = await harness.newAccount();
  for (let times = 0; times < 3; times++) await requestPasswordReset(database.sql, email);
  start();
  await soon(() => expect(mails.mailsTo(email)).toHaveLength(1));
  await settled();
  await requestPasswordReset(database.sql, email);
  await soon(() => expect(mails.mailsTo(email)).toHaveLength(2));
  const [first, second] = await Promise.all(mails.mailsTo(email).map(({ text }) => sha256Of(text)));
  if (!first || !second) throw new Error("Two mails were expected.");
  expect(await findPasswordReset(database.sql, first)).toBeNull();
  expect(await findPasswordReset(database.sql, second)).toBe(email);
});

test("sends the mail again, with a new link, after a temporary refusal", async () => {
  const { email } = await harness.newAccount();
  mails.refuse(email, 451);
  await requestPasswordReset(database.sql, email);
  start();
  await soon(() => expect(log).toContain("The mail server refused (451)."));
  expect(await harness.query("SELECT attempts FROM sign_in_mails WHERE next_attempt_at > now()")).toEqual([
    { attempts: 1 },
  ]);
  mails.refuse(email, null);
  await harness.query("UPDATE sign_in_mails SET next_attempt_at = now()");
  await soon(() => expect(mails.mailsTo(email)).toHaveLength(1));
  await settled();
});

test("sends a link again under another Message-ID, because the link before it has ended", async () => {
  const { email } = await harness.newAccount();
  let isAnswerLost = true;
  const lost = { text: "The mail server does not answer.", isPermanent: false };
  start({ ...mailer, send: async (mail) => (await mailer.send(mail)) ?? (isAnswerLost ? lost : null) });
  await requestPasswordReset(database.sql, email);
  await soon(() => expect(outcomes.at(-1)).toBe("password_reset retry"));
  isAnswerLost = false;
  await harness.query("UPDATE sign_in_mails SET next_attempt_at = now()");
  await settled();
  const [first, second] = mails.mailsTo(email);
  expect(second?.messageId).not.toBe(first?.messageId);
  expect(await findPasswordReset(database.sql, await sha256Of(first?.text))).toBeNull();
  expect(await findPasswordReset(database.sql, await sha256Of(second?.text))).toBe(email);
});

test("does not retry a mail whose recipient is refused, and counts it as failed", async () => {
  const { email } = await harness.newAccount();
  mails.refuse(email, 550);
  await requestPasswordReset(database.sql, email);
  start();
  await settled();
  mails.refuse(email, null);
  expect(mails.mailsTo(email)).toEqual([]);
  await soon(() => expect(outcomes.at(-1)).toBe("password_reset failed"));
});

test("retries a mail whose content is refused, and counts each attempt", async () => {
  const { email } = await harness.newAccount();
  mails.refuse(email, 554, "data");
  await requestPasswordReset(database.sql, email);
  start();
  await soon(() => expect(outcomes.at(-1)).toBe("password_reset retry"));
  mails.refuse(email, null);
  await harness.query("UPDATE sign_in_mails SET next_attempt_at = now()");
  await soon(() => expect(outcomes.at(-1)).toBe("password_reset sent"));
  expect(mails.mailsTo(email)).toHaveLength(1);
});

test("sends a notice that the password was changed after a link was used", async () => {
  const { email } = await harness.newAccount();
  await requestPasswordReset(database.sql, email);
  start();
  await soon(() => expect(mails.mailsTo(email)).toHaveLength(1));
  const sha256 = await sha256Of(mails.mailsTo(email)[0]?.text);
  expect(await usePasswordReset(database, sha256, { passwordHash: "new", sendsMail: true })).toBe(email);
  await soon(() => expect(mails.mailsTo(email)).toHaveLength(2));
  const notice = mails.mailsTo(email)[1];
  expect(notice?.subject).toBe("Your password was changed");
  expect(notice?.text).toContain(`${appUrl}/login/forgotten`);
});
