import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** A position in the write-ahead log of the primary. */
export interface WalPosition {
  /** Bytes since the beginning of the log. */
  readonly bytes: number;
  /** Increases with each promotion. Positions of different timelines cannot be compared. */
  readonly timeline: number;
}

/**
 * The position after the last record of the primary. The inserted and not the flushed one, because a commit with
 * `synchronous_commit = off` is visible on the primary before it is flushed.
 */
const currentPosition = {
  name: "replica.primary-position",
  text: `SELECT (lsn - '0/0'::pg_lsn)::bigint AS bytes, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline
    FROM (SELECT pg_current_wal_insert_lsn() AS lsn) AS inserted`,
};

/** So many statements a second read positions at most, however many reads there are. */
const spacingMs = 2;

/** A failure of the primary, not of a standby. */
class UnknownPositionError extends Error {
  override readonly name = "UnknownPositionError";
}

export interface PrimaryPositions {
  /** A position that was read after the call: a server that has replayed it shows all that was committed before. */
  next(): Promise<WalPosition>;
}

/** Calls share the next statement that has not been sent yet. */
export function createPrimaryPositions(pool: pg.Pool): PrimaryPositions {
  let following: Promise<WalPosition> | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;

  const send = async (): Promise<WalPosition> => {
    following = undefined;
    sentAtMs = performance.now();
    try {
      const { rows } = await pool.query<WalPosition>(currentPosition);
      return rows[0] as WalPosition;
    } catch (error) {
      throw new UnknownPositionError("The position of the primary could not be read.", { cause: error });
    }
  };

  return {
    next() {
      if (following === undefined) {
        const waitMs = sentAtMs + spacingMs - performance.now();
        // Later than this assignment, which must not keep a statement that has been sent.
        following = (waitMs > 0 ? sleep(waitMs) : Promise.resolve()).then(send);
      }
      return following;
    },
  };
}
