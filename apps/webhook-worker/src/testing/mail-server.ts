import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail extends Email {
  readonly recipients: readonly string[];
  /** The header section as it was sent. */
  readonly head: string;
}

/** A mail server on a free port, which keeps what it accepts. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  let refusal: { readonly code: number; readonly of: string } | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onRcptTo({ address }, _session, callback) {
      const isRefused = refusal?.of === address;
      callback(isRefused ? Object.assign(new Error("refused"), { responseCode: refusal?.code }) : null);
    },
    onData(stream, { envelope }, callback) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const raw = Buffer.concat(parts);
        void PostalMime.parse(raw).then((mail) => {
          const [head = ""] = raw.toString("utf8").split("\r\n\r\n");
          mails.push({ ...mail, recipients: envelope.rcptTo.map(({ address }) => address), head });
          callback();
        }, callback);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mailsTo: (address: string) => mails.filter(({ recipients }) => recipients.includes(address)),
    /** Refuses the recipient with this code from now on; null: accepts it again. */
    refuse(of: string, code: number | null) {
      refusal = code === null ? null : { code, of };
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
