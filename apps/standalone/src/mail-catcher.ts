import fs from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { uuidV7 } from "@svc/persistence";
import { SMTPServer } from "smtp-server";

/** The newest are kept. */
const mailsMax = 200;
const mailBytesMax = 5 * 1024 * 1024;
const user = "svc";

export interface MailCatcher {
  /** URL with its credentials, for SVC_SMTP_URL. */
  readonly url: string;
  close(): Promise<void>;
}

/** One file for each recipient, who is in its first line. Written whole, so that a reader never sees half of one. */
function saveMail(folder: string, recipient: string, mail: Buffer): void {
  const file = path.join(folder, `${uuidV7.next()}.eml`);
  fs.writeFileSync(`${file}.new`, Buffer.concat([Buffer.from(`Delivered-To: ${recipient}\r\n`), mail]), {
    mode: 0o600,
  });
  fs.renameSync(`${file}.new`, file);
  const files = fs.readdirSync(folder).sort();
  for (const old of files.slice(0, -mailsMax)) fs.rmSync(path.join(folder, old), { force: true });
}

/**
 * A mail server on this machine that forwards nothing: it keeps mails in the folder, where the web application reads
 * them. It needs a password, because every user of the machine reaches its port.
 */
export async function startMailCatcher(folder: string, password: string): Promise<MailCatcher> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: mailBytesMax,
    logger: false,
    onAuth(auth, _session, callback) {
      if (auth.username === user && auth.password === password) callback(null, { user });
      else callback(new Error("Wrong user or password."));
    },
    onData(stream, { envelope }, callback) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        try {
          if (stream.sizeExceeded) throw Object.assign(new Error("The mail is too large."), { responseCode: 552 });
          for (const { address } of envelope.rcptTo) saveMail(folder, address, Buffer.concat(parts));
          callback();
        } catch (error) {
          callback(error as Error);
        }
      });
    },
  });
  // A client that breaks off.
  server.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
