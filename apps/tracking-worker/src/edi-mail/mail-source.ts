import { beginsAsEdi, ediBytesMax } from "@svc/edi";
import { uuidV7 } from "@svc/persistence";
import { ImapFlow } from "imapflow";
import PostalMime from "postal-mime";
import { rejectLeftFile, storeLeftFile } from "../edi-folder/received-file.ts";
import { fileTimeoutMs, fileTooSlow, messagesWaiting, SourceFailure } from "../edi-sources/source-failure.ts";
import type { EdiSource, PolledSource, SourcePoll } from "../edi-sources/start-edi-sources.ts";
import type { EdiMailbox } from "./mailbox.ts";

const timeoutMs = 20_000;
/** An attachment is a third larger in a mail, and there may be several. */
const mailBytesMax = 2 * ediBytesMax;
/** Mails that are listed in one poll. */
const mailBatchMax = 200;

/** Last mail of earlier polls. A mailbox that was created again gives its mails other UIDs. */
interface MailState {
  readonly uidValidity?: string;
  readonly lastUid?: number;
}

interface ListedMail {
  readonly uid: number;
  readonly sizeBytes: number;
  readonly sender: string | null;
  readonly messageId: string | null;
}

/**
 * A mailbox to which partners send files as attachments. Mails are taken in the order of their UIDs, each once: the
 * last UID is remembered, and an attachment with the bytes of an earlier one is the same file. A mail that was read is
 * marked as seen. One of another sender, or without a file, is flagged for a person.
 */
export const mailSource = (mailbox: EdiMailbox): EdiSource => ({
  ...mailbox,
  kind: "mail",
  poll: (poll) => pollMailbox(mailbox, poll),
});

async function pollMailbox(mailbox: EdiMailbox, poll: SourcePoll): Promise<PolledSource> {
  const client = await connect(mailbox);
  try {
    const uidValidity = await selectMailbox(client, mailbox);
    const state = poll.state as MailState;
    let lastUid = state.uidValidity === uidValidity ? (state.lastUid ?? 0) : 0;
    while (!poll.isOver()) {
      const mails = await listMails(client, lastUid);
      if (mails.length === 0) break;
      for (const mail of mails) {
        if (poll.isOver()) break;
        const received = await take(client, mailbox, poll, mail);
        if (received === null) return { state: null, error: messagesWaiting };
        lastUid = mail.uid;
        await poll.save({ uidValidity, lastUid }, received);
      }
    }
    return { state: { uidValidity, lastUid }, error: null };
  } catch (error) {
    throw error instanceof SourceFailure ? error : toSourceFailure(error, mailbox);
  } finally {
    client.close();
  }
}

async function connect(mailbox: EdiMailbox): Promise<ImapFlow> {
  const { host, port, security, username, password, accessToken } = mailbox;
  const client = new ImapFlow({
    host,
    port,
    secure: security === "tls",
    logger: false,
    disableAutoIdle: true,
    ...(security === "tls" ? {} : { doSTARTTLS: security === "starttls" }),
    auth: { user: username, ...(accessToken === undefined ? { pass: password ?? "" } : { accessToken }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  // An error of the connection without a listener would end the process; the running command rejects as well.
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    client.close();
    throw toSourceFailure(error, mailbox);
  }
  return client;
}

/** @returns its UIDVALIDITY. */
async function selectMailbox(client: ImapFlow, { mailbox, host }: EdiMailbox): Promise<string> {
  try {
    const { uidValidity } = await client.mailboxOpen(mailbox);
    return String(uidValidity);
  } catch (error) {
    const { responseStatus, mailboxMissing } = error as { responseStatus?: string; mailboxMissing?: boolean };
    if (responseStatus !== "NO" && responseStatus !== "BAD" && mailboxMissing !== true) throw error;
    throw new SourceFailure("mailbox_not_found", `${host} has no mailbox ${mailbox} that this user can open.`);
  }
}

async function listMails(client: ImapFlow, lastUid: number): Promise<ListedMail[]> {
  // `*` names the last mail even if its UID is lower.
  const found = (await client.search({ uid: `${lastUid + 1}:*` }, { uid: true })) || [];
  const uids = found.filter((uid) => uid > lastUid).toSorted((a, b) => a - b);
  const some = uids.slice(0, mailBatchMax);
  if (some.length === 0) return [];
  const fetched = await client.fetchAll(some, { uid: true, size: true, envelope: true }, { uid: true });
  return fetched
    .map(({ uid, size = 0, envelope }) => ({
      uid,
      sizeBytes: size,
      sender: envelope?.from?.[0]?.address?.toLowerCase() ?? null,
      messageId: envelope?.messageId ?? null,
    }))
    .toSorted((a, b) => a.uid - b.uid);
}

const isAllowed = (sender: string | null, { senders }: EdiMailbox): boolean =>
  sender !== null &&
  senders.some((allowed) => (allowed.startsWith("@") ? sender.endsWith(allowed) : sender === allowed));

/** @returns the number of files that were stored or rejected; null: too many messages of the account wait. */
async function take(client: ImapFlow, mailbox: EdiMailbox, poll: SourcePoll, mail: ListedMail): Promise<number | null> {
  const { uid, sizeBytes, sender, messageId } = mail;
  const about = { uid, message_id: messageId, bytes: sizeBytes };
  const leaveToPerson = async (reason: string): Promise<number> => {
    poll.logger.warn({ ...about, reason }, "edi_mail.not_taken");
    await client.messageFlagsAdd([uid], ["\\Flagged"], { uid: true });
    return 0;
  };
  if (!isAllowed(sender, mailbox)) return leaveToPerson("sender_not_allowed");
  if (sizeBytes > mailBytesMax) return leaveToPerson("mail_too_large");
  const source = await fetchSource(client, uid);
  if (source === null) return 0;
  const files = await extractEdiFiles(source);
  if (files.length === 0) return leaveToPerson("no_edi_file");
  for (const { name, bytes } of files) {
    const file = { ...mailbox, source: "mail", name } as const;
    if (bytes.byteLength > ediBytesMax) {
      const id = uuidV7.next();
      await rejectLeftFile(poll.context, file, { id, sizeBytes: bytes.byteLength });
      poll.logger.warn({ ...about, name, file_id: id }, "edi_file.too_large");
      continue;
    }
    const id = await storeLeftFile(poll.context, file, bytes);
    if (id === null) return null;
    poll.logger.info({ ...about, name, file_id: id }, "edi_file.received");
  }
  await client.messageFlagsAdd([uid], ["\\Seen"], { uid: true });
  return files.length;
}

/** Null: another program deleted the mail meanwhile. */
async function fetchSource(client: ImapFlow, uid: number): Promise<Buffer | null> {
  let isTooSlow = false;
  const timer = setTimeout(() => {
    isTooSlow = true;
    client.close();
  }, fileTimeoutMs);
  try {
    const fetched = await client.fetchOne(String(uid), { source: true }, { uid: true });
    return fetched === false ? null : (fetched.source ?? null);
  } catch (error) {
    throw isTooSlow ? fileTooSlow(`The mail ${uid}`) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The attachments that begin like EDI, whatever their names and types. */
async function extractEdiFiles(source: Buffer): Promise<{ readonly name: string; readonly bytes: Uint8Array }[]> {
  const { attachments } = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" }).catch(() => ({
    attachments: [],
  }));
  return attachments.flatMap(({ filename, content }, index) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
    return beginsAsEdi(bytes) ? [{ name: filename ?? `attachment-${index + 1}`, bytes }] : [];
  });
}

/** Messages of the library may contain what the server sent, so only its codes are used. */
function toSourceFailure(error: unknown, { host, port, username, security }: EdiMailbox): SourceFailure {
  const { code, authenticationFailed, tlsFailed } = error as {
    readonly code?: string;
    readonly authenticationFailed?: boolean;
    readonly tlsFailed?: boolean;
  };
  if (authenticationFailed === true)
    return new SourceFailure("authentication_failed", `${host} rejected the password or token of ${username}.`);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new SourceFailure("name_not_resolved", `The name ${host} could not be resolved.`);
  if (code === "ECONNREFUSED")
    return new SourceFailure("connection_refused", `${host} accepts no connection on port ${port}.`);
  if (code === "CONNECT_TIMEOUT" || code === "GREETING_TIMEOUT" || code === "ETIMEOUT" || code === "ETIMEDOUT")
    return new SourceFailure("timed_out", `${host} did not answer within ${timeoutMs / 1_000} s.`);
  if (tlsFailed === true || /CERT|SELF_SIGNED|ERR_TLS|EPROTO|ERR_SSL/.test(code ?? ""))
    return new SourceFailure(
      "certificate_invalid",
      `${host} offers no valid encryption (${security}, ${code ?? "no TLS"}).`,
    );
  return new SourceFailure("connection_failed", `The connection to ${host} failed (${code ?? "no code"}).`);
}
