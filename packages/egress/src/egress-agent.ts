import { Agent } from "undici";
import { connectPinned } from "./connect-pinned.ts";
import type { EgressError } from "./egress-error.ts";
import type { EgressPolicy } from "./egress-target.ts";
import { createResolver, type ResolveHost } from "./resolve-host.ts";

export interface EgressAgentOptions extends EgressPolicy {
  /** Connections to one origin at most. */
  readonly connectionsPerOrigin: number;
  readonly resolve?: ResolveHost;
}

const keepAliveMs = 30_000;
const headerBytesMax = 32 * 1024;

/** An undici Agent that can only connect where the policy allows. HTTP/1.1; connections are kept and used again. */
export function createEgressAgent(options: EgressAgentOptions): Agent {
  const { connectionsPerOrigin, resolve = createResolver(), ...policy } = options;
  return new Agent({
    connections: connectionsPerOrigin,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: headerBytesMax,
    connect({ hostname, port, protocol }, callback) {
      const secure = protocol === "https:";
      const target = { hostname, secure, port: Number(port) || (secure ? 443 : 80) };
      connectPinned(target, policy, resolve).then(
        (socket) => callback(null, socket),
        (error: EgressError) => callback(error, null),
      );
    },
  });
}
