import { type AddressInfo, createServer, type Socket } from "node:net";
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
  let refusal: { readonly code: number; readonly of: string; readonly at: "recipient" | "data" } | null = null;
  const stalls = new Map<string, "recipient" | "answer">();
  let stalled = 0;
  const refusalOf = (address: string, at: "recipient" | "data"): Error | null =>
    refusal?.of === address && refusal.at === at
      ? Object.assign(new Error("refused"), { responseCode: refusal.code })
      : null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onRcptTo({ address }, _session, callback) {
      if (stalls.get(address) === "recipient") {
        stalled++;
        return;
      }
      callback(refusalOf(address, "recipient"));
    },
    onData(stream, { envelope }, callback) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const refused = envelope.rcptTo
          .map(({ address }) => refusalOf(address, "data"))
          .find((error) => error !== null);
        if (refused) return callback(refused);
        const raw = Buffer.concat(parts);
        void PostalMime.parse(raw).then((mail) => {
          const [head = ""] = raw.toString("utf8").split("\r\n\r\n");
          const recipients = envelope.rcptTo.map(({ address }) => address);
          mails.push({ ...mail, recipients, head });
          if (recipients.some((address) => stalls.get(address) === "answer")) stalled++;
          else callback();
        }, callback);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mailsTo: (address: string) => mails.filter(({ recipients }) => recipients.includes(address)),
    /** Refuses the recipient, or its mails, with this code from now on; null: accepts it again. */
    refuse(of: string, code: number | null, at: "recipient" | "data" = "recipient") {
      refusal = code === null ? null : { code, of, at };
    },
    /**
     * Sets the point at which the server stops responding: when the recipient is named, or when the mail was received.
     * Null: it responds again.
     */
    stall(of: string, at: "recipient" | "answer" | null) {
      if (at === null) stalls.delete(of);
      else stalls.set(of, at);
    },
    stalledCount: () => stalled,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A server that answers everything with a line that never ends, byte by byte, so that it is never silent. */
export async function startDrippingServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.write("220-");
    const timer = setInterval(() => socket.write("x"), 100);
    socket.on("error", () => undefined).on("data", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openConnections: () => sockets.size,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
