import pg from "pg";
import type { Database } from "./database.ts";

export interface Listener {
  /** Resolves when the connection is closed; `onNotify` is not called afterwards. */
  close(): Promise<void>;
}

const firstRetryMs = 200;
const retryMaxMs = 5_000;
/** An idle LISTEN would notice a vanished server only when the kernel times out. */
const heartbeatEveryMs = 20_000;
const heartbeatTimeoutMs = 5_000;

/**
 * Calls `onNotify` for every NOTIFY on the channel, over a separate connection outside the pool, and reconnects without
 * limit. Also calls it after every connect, because notifications sent in between are lost: a notification triggers
 * polling and never carries the data.
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
    retryMs = Math.min(retryMs * 2, retryMaxMs);
  };

  const connect = async (): Promise<void> => {
    const { application_name, connectionTimeoutMillis } = database.pool.options;
    const fresh = new pg.Client({
      connectionString: database.directUrl,
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
      // While a query is pending, end() destroys the socket instead of waiting for the server.
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
