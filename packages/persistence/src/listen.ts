import pg from "pg";
import type { Database } from "./database.ts";

export interface Listener {
  /** Resolves when the connection is closed; nothing is called any more. */
  close(): Promise<void>;
}

const firstRetryMs = 200;
const longestRetryMs = 5_000;

/**
 * Calls `onNotify` for every NOTIFY on the channel, over a connection of its own that is not taken from the pool, and
 * connects again for ever when it breaks. Also called after every connect, because what was told in between is lost:
 * a notification is a reason to look, never the news itself.
 */
export function listen(database: Database, channel: string, onNotify: () => void): Listener {
  let client: pg.Client | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;
  let closed = false;

  const retryLater = (): void => {
    client = undefined;
    if (closed) return;
    retryTimer = setTimeout(() => void connect(), retryMs);
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  };

  const connect = async (): Promise<void> => {
    const { connectionString, application_name, connectionTimeoutMillis } = database.pool.options;
    const fresh = new pg.Client({ connectionString, application_name, connectionTimeoutMillis, keepAlive: true });
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
    retryMs = firstRetryMs;
    onNotify();
  };

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      await client?.end().catch(() => undefined);
    },
  };
}
