import net, { type AddressInfo } from "node:net";

export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * An address that stays while the processes behind it are replaced, as that of a load balancer: each connection goes to
 * what `target` names then.
 */
export async function startFront(target: () => string): Promise<Front> {
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const { hostname, port } = new URL(target());
    const service = net.connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => open.delete(socket));
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
