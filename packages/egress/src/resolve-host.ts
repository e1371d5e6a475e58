import { Resolver } from "node:dns/promises";

/** The addresses of a host name, in the order in which they should be tried. Rejects when it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const queryTimeoutMs = 2_000;
/**
 * How long the addresses of one family wait for those of the other (RFC 8305, 3). More than its 50 ms, because all addresses
 * of a name are judged together; far less than a lost question takes to be given up, which is longer than a connection may.
 */
const otherFamilyMs = 500;

/** One of each family in turn, the first of the first one first (RFC 8305, 4): a family that is cut off delays by one attempt. */
function inTurns(one: readonly string[], other: readonly string[]): readonly string[] {
  const longest = Math.max(one.length, other.length);
  return Array.from({ length: longest }, (_, index) => [one[index], other[index]])
    .flat()
    .filter((address) => address !== undefined);
}

/** The answer when it comes in time, else nothing. A failure is no address, too. */
function withoutLongWait(answer: Promise<readonly string[]>): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(resolve, otherFamilyMs, []);
  answer.then(resolve, () => resolve([])).finally(() => clearTimeout(timer));
  return promise;
}

/**
 * Asks the name servers of the system for both families at once. Not `dns.lookup`, whose four threads a few names with silent
 * servers would keep busy for everyone. What comes after the wait for the other family is left out: nobody judges it, and
 * nobody connects to it.
 * @param servers asks these instead (`host:port`).
 */
export function createResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const [v4, v6] = [resolver.resolve4(host), resolver.resolve6(host)];
    try {
      // The first that has addresses; one that has none waits for the other as long as that takes.
      await Promise.any([v4, v6]);
    } catch {
      // Both failed, and the IPv4 question says why.
      return v4;
    }
    const [addresses4, addresses6] = await Promise.all([withoutLongWait(v4), withoutLongWait(v6)]);
    return inTurns(addresses4, addresses6);
  };
}
