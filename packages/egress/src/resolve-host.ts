import { Resolver } from "node:dns/promises";

/** The addresses of a host name, IPv4 first. Rejects when it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const queryTimeoutMs = 2_000;

/**
 * Asks the name servers of the system. Not `dns.lookup`, whose four threads a few names with silent servers would keep
 * busy for everyone.
 * @param servers asks these instead (`host:port`).
 */
export function createResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw (v4 as PromiseRejectedResult).reason;
    return addresses;
  };
}
