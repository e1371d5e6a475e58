import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { z } from "zod";

/** SVC_TRUSTED_PROXY_COUNT, the same for every service that limits by client address. */
export const trustedProxyCount = z.coerce
  .number()
  .int()
  .min(0)
  .max(10)
  .default(0)
  .describe("reverse proxies in front that add to X-Forwarded-For");

/**
 * The IP address of the client: that of the connection, or the entry of X-Forwarded-For that the outermost trusted
 * proxy added. Entries further left come from the client and are ignored. An entry that is not an IP address is
 * replaced by the address of the connection.
 */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  const connection = request.socket.remoteAddress ?? "unknown";
  if (proxies === 0) return connection;
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const hops = forwarded.map((entry) => entry.trim()).filter((entry) => entry !== "");
  const address = hops[Math.max(0, hops.length - proxies)] ?? connection;
  return isIP(address) === 0 ? connection : address;
}

/**
 * The unit that limits count by: the IPv4 address, or the /64 of IPv6, because a client holds all 2^64 addresses of it.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail = ""] = new URL(`http://[${address.replace(/%.*/, "")}]`).hostname.slice(1, -1).split("::");
  const [first, last] = [head, tail].map((groups) => groups.split(":").filter((group) => group !== "")) as [
    string[],
    string[],
  ];
  return [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last].slice(0, 4).join(":");
}
