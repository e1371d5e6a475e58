import type { Database } from "../database.ts";
import type { Statement } from "../sql.ts";

const windowSeconds = 15 * 60;
/** More than an attempt adds, so that the table does not grow by keys that are not used again. */
const removalBatchMax = 100;

/** Most attempts of a flood end here, without a write. */
const longestWait: Statement = {
  name: "sign-in-attempts.longest-wait",
  text: `
    SELECT ceil(extract(epoch FROM a.until - clock_timestamp()))::int AS "waitSeconds"
    FROM unnest($1::bytea[], $2::int[]) AS reached(key, at_most)
    JOIN sign_in_attempts a ON a.key_sha256 = reached.key
    WHERE a.attempts >= reached.at_most AND a.until > clock_timestamp()
    ORDER BY a.until DESC LIMIT 1`,
};

/** Begins a window when none is open. The row stays locked, so that concurrent attempts are counted one by one. */
const lock: Statement = {
  name: "sign-in-attempts.lock",
  text: `
    INSERT INTO sign_in_attempts AS a (key_sha256, attempts, until)
    VALUES ($1, 0, clock_timestamp() + $2::int * interval '1 second')
    ON CONFLICT (key_sha256) DO UPDATE SET
      attempts = CASE WHEN a.until > clock_timestamp() THEN a.attempts ELSE 0 END,
      until = CASE WHEN a.until > clock_timestamp() THEN a.until ELSE EXCLUDED.until END
    RETURNING attempts, ceil(extract(epoch FROM until - clock_timestamp()))::int AS "waitSeconds"`,
};

const count: Statement = {
  name: "sign-in-attempts.count",
  text: `
    WITH over AS (
      DELETE FROM sign_in_attempts WHERE key_sha256 IN (
        SELECT key_sha256 FROM sign_in_attempts WHERE until <= clock_timestamp()
        ORDER BY until LIMIT ${removalBatchMax} FOR UPDATE SKIP LOCKED))
    UPDATE sign_in_attempts SET attempts = attempts + 1 WHERE key_sha256 = ANY ($1::bytea[])`,
};

const takeBack: Statement = {
  name: "sign-in-attempts.take-back",
  text: "UPDATE sign_in_attempts SET attempts = attempts - 1 WHERE key_sha256 = $1 AND attempts > 0",
};

const clearAttempts: Statement = {
  name: "sign-in-attempts.forget",
  text: "DELETE FROM sign_in_attempts WHERE key_sha256 = $1",
};

export interface AttemptLimit {
  /** SHA-256 of what is counted. */
  readonly key: Uint8Array;
  /** Maximum number of attempts in 15 minutes from the first one. */
  readonly atMost: number;
}

/** Attempts to sign in, counted for all processes together. */
export interface SignInAttempts {
  /**
   * Counts an attempt for each limit, unless one is reached. Callers name the limits in the same order, since each
   * locks a row.
   * @returns the seconds to wait for one that is reached, or null when the attempt is counted.
   */
  begin(limits: readonly AttemptLimit[]): Promise<number | null>;
  /** Removes one attempt from the count. */
  takeBack(key: Uint8Array): Promise<void>;
  /** Removes all attempts from the count. */
  forget(key: Uint8Array): Promise<void>;
}

export function createSignInAttempts(database: Database): SignInAttempts {
  return {
    async begin(limits) {
      const keys = limits.map(({ key }) => key);
      const maxAttempts = limits.map(({ atMost }) => atMost);
      const [reached] = await database.sql.rows<{ waitSeconds: number }>(longestWait, [keys, maxAttempts]);
      if (reached) return Math.max(1, reached.waitSeconds);
      return database.transaction(async (sql) => {
        for (const { key, atMost } of limits) {
          const [window] = await sql.rows<{ attempts: number; waitSeconds: number }>(lock, [key, windowSeconds]);
          if (window && window.attempts >= atMost) return Math.max(1, window.waitSeconds);
        }
        await sql.execute(count, [keys]);
        return null;
      });
    },
    takeBack: (key) => database.sql.execute(takeBack, [key]).then(() => undefined),
    forget: (key) => database.sql.execute(clearAttempts, [key]).then(() => undefined),
  };
}
