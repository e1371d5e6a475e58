import type { Socket } from "node:net";

interface Origin {
  readonly sockets: Set<Socket>;
  exchanges: number;
}

/** The connections of an agent, so that those kept open for later use are not more than the process has room for. */
export interface KeptConnections {
  /** An exchange with the origin begins; the answer is to be called when it is over. */
  begin(origin: string): () => void;
  /** A connection to the origin was made. For each beyond the number that may be kept, one that nobody uses is closed. */
  add(origin: string, socket: Socket): void;
}

/**
 * Closes what its origin has not used for the longest time. Connections of an origin with an exchange under way are never
 * closed, so there are as many as there are exchanges at least.
 */
export function keepConnections(keptMax: number): KeptConnections {
  const origins = new Map<string, Origin>();
  /** Without an exchange, the longest idle first. */
  const idle = new Set<string>();
  let open = 0;

  const drop = (name: string, origin: Origin, socket: Socket): void => {
    if (!origin.sockets.delete(socket)) return;
    open -= 1;
    if (origin.sockets.size > 0 || origin.exchanges > 0) return;
    origins.delete(name);
    idle.delete(name);
  };

  const makeRoom = (): void => {
    for (const name of idle) {
      if (open < keptMax) return;
      const origin = origins.get(name);
      for (const socket of origin?.sockets ?? []) {
        if (origin) drop(name, origin, socket);
        socket.destroy();
      }
    }
  };

  const originOf = (name: string): Origin => {
    const known = origins.get(name) ?? { sockets: new Set(), exchanges: 0 };
    origins.set(name, known);
    return known;
  };

  return {
    begin(name) {
      const origin = originOf(name);
      origin.exchanges += 1;
      idle.delete(name);
      return () => {
        origin.exchanges -= 1;
        if (origin.exchanges > 0) return;
        if (origin.sockets.size > 0) idle.add(name);
        else origins.delete(name);
      };
    },
    add(name, socket) {
      makeRoom();
      const origin = originOf(name);
      origin.sockets.add(socket);
      open += 1;
      // Whoever wanted it may have given up meanwhile.
      if (origin.exchanges === 0) idle.add(name);
      socket.once("close", () => drop(name, origin, socket));
    },
  };
}
