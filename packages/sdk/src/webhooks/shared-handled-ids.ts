import type { HandledIds } from "./handled-ids.ts";

export interface SharedOptions {
  /**
   * Retention of handled ids in milliseconds. Default 14 days: longer than all retries, even when `Retry-After` delays
   * each by a day. A notification delivered later (paused or disabled webhook, redelivery, recovery) counts as new.
   */
  readonly keptMs?: number;
}

const keptMsDefault = 14 * 24 * 3_600_000;

/** One command to Redis, for example `(...command) => client.sendCommand(command)`. */
export type SendToRedis = (name: string, ...rest: string[]) => Promise<unknown>;

export interface RedisOptions extends SharedOptions {
  /** Prefix of keys. Default `webhook:`. */
  readonly prefix?: string;
}

const releaseScript = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end`;

/**
 * Ids shared by all processes that use one Redis. A claim is a key with an expiry, so it ends when its process was
 * killed. Ids that Redis loses are handled again.
 */
export function handledIdsInRedis(send: SendToRedis, options: RedisOptions = {}): HandledIds {
  const { prefix = "webhook:", keptMs = keptMsDefault } = options;
  return {
    async begin(id, owner, claimMs) {
      const claim = await send("SET", prefix + id, `running ${owner}`, "NX", "PX", String(claimMs));
      if (claim !== null) return "new";
      // A claim that ended between the two counts as running: then the notification is delivered again.
      return String(await send("GET", prefix + id)) === "done" ? "done" : "running";
    },
    async done(id) {
      await send("SET", prefix + id, "done", "PX", String(keptMs));
    },
    async release(id, owner) {
      await send("EVAL", releaseScript, "1", prefix + id, `running ${owner}`);
    },
  };
}

/** One statement to PostgreSQL: a `Pool` of `pg` is one. */
export interface QueriesPostgres {
  query(sql: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface PostgresOptions extends SharedOptions {
  /** Name of the table, inserted into statements unescaped. Default `handled_webhooks`. */
  readonly table?: string;
}

/**
 * Ids shared by all processes that use one PostgreSQL, in a table of
 * `id text PRIMARY KEY, owner text, ends_at timestamptz NOT NULL`: `owner` is null once the id is done; `ends_at` is
 * the expiry of the claim or of the handled id. Rows past `ends_at` can be deleted at any time.
 */
export function handledIdsInPostgres(postgres: QueriesPostgres, options: PostgresOptions = {}): HandledIds {
  const { table = "handled_webhooks", keptMs = keptMsDefault } = options;
  const after = (parameter: string): string =>
    `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;
  return {
    async begin(id, owner, claimMs) {
      const claim = await postgres.query(
        `INSERT INTO ${table} AS known (id, owner, ends_at) VALUES ($1, $2, ${after("$3")})
         ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, ends_at = excluded.ends_at
         WHERE known.ends_at <= clock_timestamp() RETURNING 1`,
        [id, owner, claimMs],
      );
      if (claim.rows.length > 0) return "new";
      // A claim that ended between the two counts as running: then the notification is delivered again.
      const done = await postgres.query(`SELECT 1 FROM ${table} WHERE id = $1 AND owner IS NULL`, [id]);
      return done.rows.length > 0 ? "done" : "running";
    },
    async done(id) {
      await postgres.query(
        `INSERT INTO ${table} (id, owner, ends_at) VALUES ($1, NULL, ${after("$2")})
         ON CONFLICT (id) DO UPDATE SET owner = NULL, ends_at = excluded.ends_at`,
        [id, keptMs],
      );
    },
    async release(id, owner) {
      await postgres.query(`DELETE FROM ${table} WHERE id = $1 AND owner = $2`, [id, owner]);
    },
  };
}
