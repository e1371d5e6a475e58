import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that a test can redirect to another port, which is how a failover looks to a client. */
export interface TcpSwitch {
  readonly port: number;
  /** Connections of clients so far. */
  accepted(): number;
  /** Closes every connection; new ones go to the other port. */
  leadTo(port: number): void;
  /**
   * Blocks all bytes to the server. Resolves when a client has sent bytes that contain the text.
   */
  holdUntilSent(text: string): Promise<void>;
  /** Accepts new connections again. */
  letThrough(): void;
  /**
   * Drops every byte in both directions without closing connections, as when the host loses power. After `thaw` new
   * connections work; those that were open stay silent.
   */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function startTcpSwitch(target: number): Promise<TcpSwitch> {
  let port = target;
  let pause: { text: string; sent: () => void } | undefined;
  let isFrozen = false;
  let accepted = 0;
  const silent = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  const track = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    accepted++;
    if (isFrozen) {
      client.pause();
      client.on("error", () => undefined);
      sockets.add(client);
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    track(client, upstream);
    track(upstream, client);
    client.on("data", (chunk) => {
      if (silent.has(client)) return;
      if (!pause) upstream.write(chunk);
      else if (chunk.includes(pause.text)) pause.sent();
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
    accepted: () => accepted,
    leadTo(next) {
      port = next;
      cut();
    },
    holdUntilSent: (text) =>
      new Promise((resolve) => {
        pause = { text, sent: resolve };
      }),
    letThrough() {
      pause = undefined;
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

/** The URL of a server, by way of the switch. */
export function throughSwitch(url: string, { port }: Pick<TcpSwitch, "port">): string {
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String(port);
  return through.href;
}
