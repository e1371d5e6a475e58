import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { listEdiSources } from "@svc/persistence/edi-files";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startEdiSources } from "../edi-sources/start-edi-sources.ts";
import { type ImapMailbox, startImapMailbox } from "../testing/imap-mailbox.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { mailSource } from "./mail-source.ts";
import { type EdiMailbox, EdiMailboxList } from "./mailbox.ts";

let accountId: string;
let imap: ImapMailbox;
let lines: string[];
const ended: (() => Promise<void>)[] = [];
const setup = started(setUpTracking);
beforeEach(async () => {
  accountId = await setup.newAccount();
  imap = await startImapMailbox();
  lines = [];
});
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
  await imap.stop();
  await setup.rows("DELETE FROM edi_sources");
});

const interchange = (controlNumber: number | string): string =>
  `UNB+UNOC:3+LINE+IMPORTER+260105:1130+${controlNumber}'UNZ+0+${controlNumber}'`;

interface Mail {
  readonly from?: string;
  readonly messageId?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const mail = ({ from = "EDI <edi@line.test>", messageId = "<1@line.test>", files = {} }: Mail): string =>
  [
    `From: ${from}`,
    "To: edi@importer.test",
    `Message-ID: ${messageId}`,
    "Subject: statuses",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="part"',
    "",
    ...Object.entries({ "": "See the attachment.", ...files }).flatMap(([name, content]) => [
      "--part",
      `Content-Type: ${name === "" ? "text/plain" : "application/octet-stream"}`,
      "Content-Transfer-Encoding: base64",
      ...(name === "" ? [] : [`Content-Disposition: attachment; filename="${name}"`]),
      "",
      ...(Buffer.from(content)
        .toString("base64")
        .match(/.{1,76}/g) ?? []),
    ]),
    "--part--",
    "",
  ].join("\r\n");

function mailbox(own: Partial<EdiMailbox> = {}): EdiMailbox {
  const { port, username, password } = imap;
  const address = { name: "mail", host: "127.0.0.1", port, security: "none", username, password };
  const [parsed] = EdiMailboxList.parse(
    JSON.stringify([{ ...address, senders: ["edi@line.test"], accountId, ...own }]),
  );
  if (parsed === undefined) throw new Error("There is no mailbox.");
  return parsed;
}

function startPolling(config: EdiMailbox): void {
  const logger = createLogger({ service: "test", destination: { write: (line) => void lines.push(line) } });
  const polling = startEdiSources({ context: setup.context, sources: [mailSource(config)], logger, everyMs: 50 });
  ended.push(() => polling.stop());
}
const state = async () => (await listEdiSources(setup.database.sql))[0];
const files = () =>
  setup.rows<{ name: string }>(
    "SELECT name, status, source FROM edi_files WHERE account_id = $1 ORDER BY name",
    accountId,
  );
const polledUntil = (what: string, condition: () => Promise<boolean> | boolean) =>
  eventually(
    what,
    async () => {
      await setup.rows("UPDATE edi_sources SET next_poll_at = now()");
      return condition();
    },
    60_000,
  );

test("two workers take the files of a mail once, by their content and whatever their names", async () => {
  const pictures = { "logo.png": "\u0089PNG", "readme.txt": "Hello" };
  const uid = imap.deliver(
    mail({ files: { "a.edi": interchange(1), "b.bin": `\uFEFF${interchange(2)}`, ...pictures } }),
  );
  startPolling(mailbox());
  startPolling(mailbox());
  await polledUntil("the mail is seen", () => imap.flagsOf(uid).includes("\\Seen"));
  await polledUntil("two files are counted", async () => (await state())?.receivedCount === 2);
  const stored = { status: "received", source: "mail" };
  expect(await files()).toEqual([
    { ...stored, name: "a.edi" },
    { ...stored, name: "b.bin" },
  ]);
  // The same mail delivered twice, and a mailbox that was created again: the same files.
  const again = imap.deliver(mail({ files: { "a.edi": interchange(1) } }));
  await polledUntil("the second delivery is seen", () => imap.flagsOf(again).includes("\\Seen"));
  imap.changeValidity();
  await polledUntil("all are read again", async () => ((await state())?.receivedCount ?? 0) >= 6);
  expect(await files()).toHaveLength(2);
  expect(lines.join("")).not.toContain(imap.password);
});

test("mails of other senders and without a file are flagged for a person, and the next ones are taken", async () => {
  const refused = [
    imap.deliver(mail({ from: "Other <other@example.com>", files: { "a.edi": interchange(1) } })),
    imap.deliver(mail({ from: "edi@line.test.example.com", files: { "a.edi": interchange(1) } })),
    imap.deliver(mail({ files: { "a.pdf": "%PDF" } })),
    imap.deliver("no header at all"),
  ];
  const delivered = imap.deliver(mail({ from: "ops@carrier.test", files: { "b.edi": interchange(2) } }));
  startPolling(mailbox({ senders: ["edi@line.test", "@carrier.test"] }));
  await polledUntil("the last mail is seen", () => imap.flagsOf(delivered).includes("\\Seen"));
  expect(refused.map((uid) => imap.flagsOf(uid))).toEqual(refused.map(() => ["\\Flagged"]));
  expect(await files()).toMatchObject([{ name: "b.edi" }]);
  const reasons = lines.flatMap((line) => /"reason":"(\w+)"/.exec(line)?.[1] ?? []);
  expect(reasons).toEqual(["sender_not_allowed", "sender_not_allowed", "no_edi_file", "sender_not_allowed"]);
});

test.each<[string, Partial<EdiMailbox>]>([
  ["authentication_failed", { password: "wrong" }],
  ["mailbox_not_found", { mailbox: "Missing" }],
  ["connection_refused", { port: 1 }],
  ["name_not_resolved", { host: "imap.invalid", security: "tls" }],
  ["certificate_invalid", { security: "tls" }],
  ["certificate_invalid", { security: "starttls" }],
])("a mailbox with the failure %s is in this state and takes nothing", async (code, changed) => {
  imap.deliver(mail({ files: { "a.edi": interchange(1) } }));
  startPolling(mailbox(changed));
  await polledUntil(code, async () => (await state())?.errorCode === code);
  expect(await state()).toMatchObject({ kind: "mail", lastSucceededAt: null, receivedCount: 0 });
  expect(lines.join("")).not.toContain(changed.password ?? imap.password);
  expect(await files()).toEqual([]);
});

test("an invalid configuration names the member and shows no secret", () => {
  const good = { name: "mail", host: "h", username: "u", password: "very secret", senders: ["a@b"], accountId };
  const problems = (value: object): string =>
    EdiMailboxList.safeParse(JSON.stringify([value]))
      .error?.issues.map(({ message }) => message)
      .join("\n") ?? "";
  expect(problems(good)).toBe("");
  expect(problems({ ...good, senders: [] })).toContain("at 0.senders: must name who may send files");
  expect(problems({ ...good, senders: ["very secret"] })).toBe("at 0.senders.0: must be an address, or @ and a domain");
  expect(problems({ ...good, security: "none" })).toContain("at 0.security: may be none on this machine only");
  expect(problems({ ...good, password: undefined })).toContain("at 0: needs either password or accessToken");
});
