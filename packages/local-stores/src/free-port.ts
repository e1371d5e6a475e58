import { type AddressInfo, createServer } from "node:net";

/** A port that was free when it was checked. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

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
