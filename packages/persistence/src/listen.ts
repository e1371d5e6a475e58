import pg from "pg";
import type { Database } from "./database.ts";

export interface Listener {
  /** Resolves when the connection is closed; nothing is called any more. */
  close(): Promise<void>;
}

const firstRetryMs = 200;
const longestRetryMs = 5_000;
/** A server that vanished sends nothing, and an idle LISTEN would wait for it until the kernel gives up. */
const heartbeatEveryMs = 20_000;
const heartbeatTimeoutMs = 5_000;

/**
 * Calls `onNotify` for every NOTIFY on the channel, over a connection of its own outside the pool, and reconnects without limit
 * when it breaks. Also calls it after every connect, because notifications sent in between are lost: a notification is a reason to
 * poll, never the data itself.
 */
export function listen(database: Database, channel: string, onNotify: () => void): Listener {
  let client: pg.Client | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;
  let closed = false;

  const retryLater = (): void => {
    clearInterval(heartbeat);
    client = undefined;
    if (closed) return;
    retryTimer = setTimeout(() => void connect(), retryMs);
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  };

  const connect = async (): Promise<void> => {
    const { connectionString, application_name, connectionTimeoutMillis } = database.pool.options;
    const fresh = new pg.Client({
      connectionString,
      application_name,
      connectionTimeoutMillis,
      keepAlive: true,
      query_timeout: heartbeatTimeoutMs,
    });
    client = fresh;
    // The driver reports a lost connection here; "end" follows it and starts the next attempt.
    fresh.on("error", () => undefined);
    fresh.on("notification", onNotify);
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch {
      await fresh.end().catch(() => undefined);
      retryLater();
      return;
    }
    if (closed) return void fresh.end();
    fresh.once("end", retryLater);
    heartbeat = setInterval(() => {
      // With a query under way, end() destroys the socket instead of waiting for the server.
      fresh.query("SELECT 1").catch(() => void fresh.end());
    }, heartbeatEveryMs);
    retryMs = firstRetryMs;
    onNotify();
  };

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      clearInterval(heartbeat);
      await client?.end().catch(() => undefined);
    },
  };
}
