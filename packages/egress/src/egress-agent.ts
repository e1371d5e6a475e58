import { Agent, type Dispatcher } from "undici";
import { connectPinned } from "./connect-pinned.ts";
import { createConnectionPool } from "./connection-pool.ts";
import type { EgressError } from "./egress-error.ts";
import type { EgressPolicy } from "./egress-target.ts";
import { createResolver, type ResolveHost } from "./resolve-host.ts";

export interface EgressAgentOptions extends EgressPolicy {
  /** Maximum number of open connections before idle ones are closed, over all origins. Default 2,000. */
  readonly keptMax?: number;
  readonly resolve?: ResolveHost;
}

/** Sends requests to targets that the policy allows. */
export interface EgressAgent {
  /** Dispatcher for the functions of undici that take one. Connections are checked as for `dispatch`. */
  readonly dispatcher: Dispatcher;
  /** Registers the start of an exchange with the origin. The returned function must be called at its end. */
  begin(origin: string): () => void;
  /** Open connections to the origin of a URL that the next exchanges can use; 0 for an invalid URL. */
  idleConnections(url: string): number;
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Aborts exchanges in flight. */
  destroy(): Promise<void>;
}

const keepAliveMs = 30_000;
const headerBytesMax = 32 * 1024;
/** Tens of KB each with TLS, and far below the limit of open files. */
const connectionsMaxDefault = 2_000;

/**
 * HTTP/1.1 with persistent connections. Connections per origin are not limited: accounts share the origins of hosting
 * services, so one account's silent endpoint would use up the connections of the others.
 */
export function createEgressAgent(options: EgressAgentOptions): EgressAgent {
  const { keptMax = connectionsMaxDefault, resolve = createResolver(), ...policy } = options;
  const pool = createConnectionPool(keptMax);
  const agent = new Agent({
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: headerBytesMax,
    connect({ host, hostname, port, protocol }, callback) {
      const secure = protocol === "https:";
      const target = { hostname, secure, port: Number(port) || (secure ? 443 : 80) };
      connectPinned(target, policy, resolve).then(
        (socket) => {
          pool.add(`${protocol}//${host}`, socket);
          callback(null, socket);
        },
        (error: EgressError) => callback(error, null),
      );
    },
  });
  return {
    dispatcher: agent,
    begin: pool.begin,
    idleConnections: (url) => pool.idle(URL.parse(url)?.origin ?? ""),
    dispatch: (request, handler) => void agent.dispatch(request, handler),
    destroy: () => agent.destroy(),
  };
}
