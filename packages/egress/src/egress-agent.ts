import { Agent, type Dispatcher } from "undici";
import { connectPinned } from "./connect-pinned.ts";
import type { EgressError } from "./egress-error.ts";
import type { EgressPolicy } from "./egress-target.ts";
import { keepConnections } from "./kept-connections.ts";
import { createResolver, type ResolveHost } from "./resolve-host.ts";

export interface EgressAgentOptions extends EgressPolicy {
  /** Connections that stay open for the next exchange at most, over all origins; 2,000 when absent. */
  readonly keptMax?: number;
  readonly resolve?: ResolveHost;
}

/** Sends requests, and only where the policy allows. */
export interface EgressAgent {
  /** An exchange with the origin begins; the answer is to be called when it is over. */
  begin(origin: string): () => void;
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Cuts off what is under way. */
  destroy(): Promise<void>;
}

const keepAliveMs = 30_000;
const headerBytesMax = 32 * 1024;
/** Some tens of KB each with TLS, and far below the open files that a process may have. */
const keptMaxDefault = 2_000;

/**
 * Over HTTP/1.1; connections are kept and used again. As many to one origin at once as there are exchanges: accounts share the
 * origins of hosting services, so a limit there would let one account's silent endpoint use up the connections of the others.
 */
export function createEgressAgent(options: EgressAgentOptions): EgressAgent {
  const { keptMax = keptMaxDefault, resolve = createResolver(), ...policy } = options;
  const kept = keepConnections(keptMax);
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
          kept.add(`${protocol}//${host}`, socket);
          callback(null, socket);
        },
        (error: EgressError) => callback(error, null),
      );
    },
  });
  return {
    begin: kept.begin,
    dispatch: (request, handler) => void agent.dispatch(request, handler),
    destroy: () => agent.destroy(),
  };
}
