import { once } from "node:events";
import net from "node:net";

/** Moment at which a transaction is held. */
export type CommitPhase = "before the commit" | "after the commit";

/** A proxy of a PostgreSQL server that can hold a transaction at its commit. */
export interface CommitGate {
  /** The URL of the database through the gate. */
  through(databaseUrl: string): string;
  /** Resolves when the next COMMIT is held: before the server receives it, or before the client receives its result. */
  holdNext(phase: CommitPhase): Promise<void>;
  close(): Promise<void>;
}

const commitQuery = Buffer.from("Q\0\0\0\x0bCOMMIT\0", "latin1");
const commitDone = Buffer.from("C\0\0\0\x0bCOMMIT\0", "latin1");

export async function startCommitGate(serverUrl: string): Promise<CommitGate> {
  const server = new URL(serverUrl);
  const sockets = new Set<net.Socket>();
  let pending: { readonly moment: CommitPhase; readonly onHeld: () => void } | null = null;

  const pass = (from: net.Socket, to: net.Socket, phase: CommitPhase, mark: Buffer): void => {
    from.on("data", (bytes) => {
      if (pending?.moment === phase && bytes.includes(mark)) {
        pending.onHeld();
        pending = null;
        from.removeAllListeners("data").resume();
      } else to.write(bytes);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  };

  const gate = net.createServer((client) => {
    const upstream = net.connect(Number(server.port), server.hostname);
    for (const socket of [client, upstream]) sockets.add(socket);
    pass(client, upstream, "before the commit", commitQuery);
    pass(upstream, client, "after the commit", commitDone);
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
        pending = { moment, onHeld: resolve };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      gate.close();
      await once(gate, "close");
    },
  };
}
