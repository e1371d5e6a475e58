import { Resolver } from "node:dns/promises";

/** Resolves a host name to addresses in the order of attempts. Rejects when it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const queryTimeoutMs = 2_000;
/**
 * Resolution Delay: how long the addresses of one family wait for the other (RFC 8305, 3). Longer than its 50 ms,
 * because all addresses of a name are checked together, but much shorter than the timeout of a lost query.
 */
const otherFamilyMs = 500;

/** Interleaves the families (RFC 8305, 4), so that an unreachable one delays by only one attempt. */
function interleave(one: readonly string[], other: readonly string[]): readonly string[] {
  const longest = Math.max(one.length, other.length);
  return Array.from({ length: longest }, (_, index) => [one[index], other[index]])
    .flat()
    .filter((address) => address !== undefined);
}

/** The addresses if resolved within the delay, else none. A failure counts as none. */
function withoutLongWait(query: Promise<readonly string[]>): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(resolve, otherFamilyMs, []);
  query.then(resolve, () => resolve([])).finally(() => clearTimeout(timer));
  return promise;
}

/**
 * Queries the system's name servers for both families in parallel. Not `dns.lookup`: its four threads would be blocked
 * by a few names with silent servers. Addresses that arrive after the delay are ignored: they are neither checked nor
 * used.
 * @param servers name servers to use instead (`host:port`).
 */
export function createResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const [v4, v6] = [resolver.resolve4(host), resolver.resolve6(host)];
    try {
      // The first family with addresses decides. A family without addresses waits for the other without a limit.
      await Promise.any([v4, v6]);
    } catch {
      // Both failed: reject with the error of the IPv4 query.
      return v4;
    }
    const [addresses4, addresses6] = await Promise.all([withoutLongWait(v4), withoutLongWait(v6)]);
    return interleave(addresses4, addresses6);
  };
}
