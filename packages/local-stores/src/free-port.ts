import { createServer } from "node:net";

const loopbackAddresses = ["127.0.0.1", "::1"];

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // Any other error means that the machine has no such address (no IPv6), so the port cannot be in use on it.
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "EADDRINUSE" && code !== "EACCES"));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** Whether the port can be bound on this machine's loopback addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of loopbackAddresses) if (!(await canListen(port, host))) return false;
  return true;
}

/** Above the ports that `fetch` refuses, below those that Linux gives to outgoing connections. */
const [lowestPort, portCount] = [11_000, 20_000];

/**
 * A port that was free when it was checked. The system does not give it to anything else before its user binds it, as
 * it may with a port of its own choice.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowestPort + Math.floor(Math.random() * portCount);
    if (await isPortFree(port)) return port;
  }
}
