import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A port that leads to a server, and elsewhere when the test says so: what a fail-over looks like to a client. */
export interface TcpSwitch {
  readonly port: number;
  /** Cuts every connection; new ones lead to the other port. */
  leadTo(port: number): void;
  /**
   * From now on nothing passes towards the server. Resolves when a client has tried to send something that contains the
   * text.
   */
  holdUntilSent(text: string): Promise<void>;
  /** Lets new connections through again. */
  letThrough(): void;
  /**
   * From now on every byte is dropped in both directions and nothing is closed, as when the host behind it loses power. After `thaw`
   * new connections pass; those that were open stay silent.
   */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function startTcpSwitch(target: number): Promise<TcpSwitch> {
  let port = target;
  let held: { text: string; sent: () => void } | undefined;
  let isFrozen = false;
  const silent = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    if (isFrozen) {
      client.pause();
      client.on("error", () => undefined);
      sockets.add(client);
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    keep(client, upstream);
    keep(upstream, client);
    client.on("data", (chunk) => {
      if (silent.has(client)) return;
      if (!held) upstream.write(chunk);
      else if (chunk.includes(held.text)) held.sent();
    });
    upstream.on("data", (chunk) => {
      if (!silent.has(client)) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(next) {
      port = next;
      cut();
    },
    holdUntilSent: (text) =>
      new Promise((resolve) => {
        held = { text, sent: resolve };
      }),
    letThrough() {
      held = undefined;
      cut();
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) silent.add(socket);
    },
    thaw() {
      isFrozen = false;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
