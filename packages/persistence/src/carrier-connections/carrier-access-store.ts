import type { Instant } from "@svc/domain";
import type { CarrierAccess, ConnectionHealth } from "@svc/domain/carrier-connections";
import { withServiceNames } from "../named-parameters.ts";
import type { Sql, Statement } from "../sql.ts";

/** Outcomes at a carrier since the last recorded ones; times on the tracking clock. */
export type AccessCounts = Omit<ConnectionHealth, "requestsToday" | "isPaused">;

const insert: Statement = {
  name: "carrier-access.insert",
  text: "INSERT INTO carrier_access (credential, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
};

const register: Statement = {
  name: "carrier-access.register",
  text: "INSERT INTO carrier_access (credential) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING",
};

/** Records that the service itself has access to these carriers (SCACs), for every account. */
export async function registerServiceCarriers(sql: Sql, scacs: readonly string[]): Promise<void> {
  await sql.execute(register, [scacs]);
}

const serviceCarriers: Statement = {
  name: "carrier-access.of-service",
  text: "SELECT a.credential AS scac FROM carrier_access a WHERE a.account_id IS NULL",
};

/** SCACs of the shipping lines and terminal operators that the service itself has access to. */
export async function readServiceCarriers(sql: Sql): Promise<ReadonlySet<string>> {
  return new Set((await sql.rows<{ scac: string }>(serviceCarriers, [])).map(({ scac }) => scac));
}

const lock: Statement = {
  name: "carrier-access.lock",
  text: `
    SELECT consecutive_failures AS "consecutiveFailures", openings, open_until AS "openUntil",
      probe_until AS "probeUntil",
      throttles, paused_until AS "pausedUntil", next_free_at AS "nextFreeAt", day, day_count AS "dayCount",
      away_since AS "unreachableSince", next_check_at AS "nextCheckAt", failed_checks AS "failedChecks",
      clock_timestamp() AS now
    FROM carrier_access WHERE credential = $1 FOR UPDATE`,
};

export interface LockedAccess {
  readonly access: CarrierAccess;
  /** The database's clock, which all workers share. */
  readonly now: Instant;
}

/** Locks the state of a credential for the rest of the transaction; inserts it when it is new. */
export async function lockCarrierAccess(sql: Sql, credential: string, accountId: string | null): Promise<LockedAccess> {
  type Row = CarrierAccess & { readonly now: Instant };
  let [row] = await sql.rows<Row>(lock, [credential]);
  if (row === undefined) {
    await sql.execute(insert, [credential, accountId]);
    [row] = await sql.rows<Row>(lock, [credential]);
  }
  if (row === undefined) throw new Error(`The access of ${credential} was deleted while it was read.`);
  const { now, ...access } = row;
  return { access, now };
}

const save = withServiceNames(
  {
    name: "carrier-access.save",
    text: `
    UPDATE carrier_access SET consecutive_failures = :consecutiveFailures, openings = :openings,
      open_until = :openUntil, probe_until = :probeUntil, throttles = :throttles, paused_until = :pausedUntil,
      next_free_at = :nextFreeAt, day = :day, day_count = :dayCount, away_since = :unreachableSince,
      next_check_at = :nextCheckAt, failed_checks = :failedChecks
    WHERE credential = :credential`,
  },
  [
    "credential",
    "consecutiveFailures",
    "openings",
    "openUntil",
    "probeUntil",
    "throttles",
    "pausedUntil",
    "nextFreeAt",
    "day",
    "dayCount",
    "unreachableSince",
    "nextCheckAt",
    "failedChecks",
  ],
);

export async function saveCarrierAccess(sql: Sql, credential: string, access: CarrierAccess): Promise<void> {
  await sql.execute(save, save.values({ ...access, credential }));
}

const count = withServiceNames(
  {
    name: "carrier-access.count",
    text: `
    UPDATE carrier_access SET answer_count = answer_count + :answers, failure_count = failure_count + :failures,
      rejection_count = rejection_count + :rejections, throttle_count = throttle_count + :throttles,
      unrecognized_count = unrecognized_count + :unrecognized,
      skipped_event_count = skipped_event_count + :skippedEvents,
      last_success_at = GREATEST(last_success_at, :lastSuccessAt),
      last_error_at = GREATEST(last_error_at, :lastErrorAt), last_error = COALESCE(:lastError, last_error),
      consecutive_failures = CASE WHEN :answers > 0 AND open_until IS NULL THEN 0 ELSE consecutive_failures END
    WHERE credential = :credential`,
  },
  [
    "credential",
    "answers",
    "failures",
    "rejections",
    "throttles",
    "unrecognized",
    "skippedEvents",
    "lastSuccessAt",
    "lastErrorAt",
    "lastError",
  ],
);

/** A response resets the count of consecutive failures while the breaker is closed. */
export async function addAccessCounts(sql: Sql, credential: string, counts: AccessCounts): Promise<void> {
  await sql.execute(count, count.values({ ...counts, credential }));
}
