import { once } from "node:events";
import net from "node:net";

/** On which side of its commit a transaction is held. */
export type Moment = "before it is committed" | "after it is committed";

/** In front of a PostgreSQL server: passes everything on, until it is to hold a transaction at its commit. */
export interface CommitGate {
  /** The given address of a database, through the gate. */
  through(databaseUrl: string): string;
  /** Resolves when the next COMMIT is held: not yet seen by the server, or done and not yet told to the client. */
  holdNext(moment: Moment): Promise<void>;
  close(): Promise<void>;
}

const commitQuery = Buffer.from("Q\0\0\0\x0bCOMMIT\0", "latin1");
const commitDone = Buffer.from("C\0\0\0\x0bCOMMIT\0", "latin1");

export async function startCommitGate(serverUrl: string): Promise<CommitGate> {
  const server = new URL(serverUrl);
  const sockets = new Set<net.Socket>();
  let held: { readonly moment: Moment; readonly tell: () => void } | null = null;

  const pass = (from: net.Socket, to: net.Socket, moment: Moment, sign: Buffer): void => {
    from.on("data", (bytes) => {
      if (held?.moment === moment && bytes.includes(sign)) {
        held.tell();
        held = null;
        from.removeAllListeners("data").resume();
      } else to.write(bytes);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  };

  const gate = net.createServer((client) => {
    const upstream = net.connect(Number(server.port), server.hostname);
    for (const socket of [client, upstream]) sockets.add(socket);
    pass(client, upstream, "before it is committed", commitQuery);
    pass(upstream, client, "after it is committed", commitDone);
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const { port } = gate.address() as net.AddressInfo;
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    holdNext: (moment) =>
      new Promise((resolve) => {
        held = { moment, tell: resolve };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      gate.close();
      await once(gate, "close");
    },
  };
}
