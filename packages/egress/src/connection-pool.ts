import type { Socket } from "node:net";

interface Origin {
  readonly sockets: Set<Socket>;
  exchanges: number;
}

/** Limits the persistent connections of an agent. */
export interface ConnectionPool {
  /** Registers the start of an exchange with the origin. The returned function must be called at its end. */
  begin(origin: string): () => void;
  /** Open connections to the origin without an exchange. */
  idle(origin: string): number;
  /** Registers a new connection to the origin. Closes idle connections above the limit. */
  add(origin: string, socket: Socket): void;
}

/**
 * Closes the connections of the origins that were idle for the longest time. Connections of an origin with an exchange
 * in flight are never closed, so there may be more than `connectionsMax`.
 */
export function createConnectionPool(connectionsMax: number): ConnectionPool {
  const origins = new Map<string, Origin>();
  /** Origins without an exchange, the longest idle first. */
  const idleOrigins = new Set<string>();
  let open = 0;

  const drop = (name: string, origin: Origin, socket: Socket): void => {
    if (!origin.sockets.delete(socket)) return;
    open -= 1;
    if (origin.sockets.size > 0 || origin.exchanges > 0) return;
    origins.delete(name);
    idleOrigins.delete(name);
  };

  const evictIdle = (): void => {
    for (const name of idleOrigins) {
      if (open < connectionsMax) return;
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
      idleOrigins.delete(name);
      return () => {
        origin.exchanges -= 1;
        if (origin.exchanges > 0) return;
        if (origin.sockets.size > 0) idleOrigins.add(name);
        else origins.delete(name);
      };
    },
    idle(name) {
      const origin = origins.get(name);
      return origin === undefined ? 0 : Math.max(0, origin.sockets.size - origin.exchanges);
    },
    add(name, socket) {
      evictIdle();
      const origin = originOf(name);
      origin.sockets.add(socket);
      open += 1;
      // The exchange that requested the connection may have timed out.
      if (origin.exchanges === 0) idleOrigins.add(name);
      socket.once("close", () => drop(name, origin, socket));
    },
  };
}
