import type { Database } from "../database.ts";
import type { Statement } from "../sql.ts";

/**
 * One process at a time; who comes second finds nothing to do. Rather none this time than deliveries that wait for
 * it.
 */
const lock: Statement = {
  name: "attempts.lock-parts",
  text: `SELECT set_config('lock_timeout', '2000', true), pg_try_advisory_xact_lock(7201120061) AS ours`,
};

/** Those of this week and of the next four, so that a missed run costs nothing. */
const create: Statement = {
  name: "attempts.create-parts",
  text: `
    SELECT count(*) FILTER (WHERE create_webhook_attempts_part(week::date))::int AS count
      FROM generate_series(date_trunc('week', now() AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '4 weeks',
                           interval '1 week') AS week`,
};

const drop: Statement = { name: "attempts.drop-parts", text: "SELECT drop_webhook_attempts_parts($1) AS count" };

export interface AttemptParts {
  readonly created: number;
  readonly dropped: number;
}

/**
 * Makes the tables for the attempts of the weeks to come, and drops those of weeks that ended more than
 * `retentionDays` ago: a whole week at once, so an attempt is kept up to six days longer.
 */
export function maintainAttempts(database: Database, retentionDays: number): Promise<AttemptParts> {
  return database.transaction(async (sql) => {
    const [held] = await sql.rows<{ ours: boolean }>(lock, []);
    if (!held?.ours) return { created: 0, dropped: 0 };
    const [made] = await sql.rows<{ count: number }>(create, []);
    const [gone] = await sql.rows<{ count: number }>(drop, [retentionDays]);
    return { created: made?.count ?? 0, dropped: gone?.count ?? 0 };
  });
}
