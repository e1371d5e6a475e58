import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { UnusableReplicaError, type WalPosition } from "./standbys.ts";

/**
 * The position after the last record of the primary. The inserted and not the flushed one, because a commit with
 * `synchronous_commit = off` is visible on the primary before it is flushed.
 */
const currentPosition = {
  name: "replica.primary-position",
  text: `SELECT (lsn - '0/0'::pg_lsn)::bigint AS bytes, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline
    FROM (SELECT pg_current_wal_insert_lsn() AS lsn) AS inserted`,
};

/**
 * Writes an empty record and flushes the log up to it. Standbys receive only what is flushed, and what a transaction in
 * progress or one with `synchronous_commit = off` wrote is flushed with the next commit of another one, or after
 * `wal_writer_delay`, 200 ms.
 */
const flush = {
  name: "replica.flush-primary",
  text: `SELECT (pg_logical_emit_message(transactional => false, prefix => 'svc', message => ''::text, flush => true)
    - '0/0'::pg_lsn)::bigint AS bytes`,
};

/** Minimum interval between two statements that read the position of the primary. */
const spacingMs = 2;

/** A failure of the primary, not of a standby. */
class UnknownPositionError extends Error {
  override readonly name = "UnknownPositionError";
}

export interface PrimaryPositions {
  /** A position that was read after the call: a server that has replayed it shows all that was committed before. */
  next(): Promise<WalPosition>;
  /** Makes the primary send everything up to the position, unless it is known to have done so. */
  flush(position: WalPosition): Promise<void>;
}

/** Calls share the next statement that has not been sent yet. */
export function createPrimaryPositions(pool: pg.Pool): PrimaryPositions {
  let following: Promise<WalPosition> | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let flushedBytes = 0;
  let flushing: Promise<void> | undefined;

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

  const sendFlush = async (): Promise<void> => {
    try {
      const { rows } = await pool.query<{ bytes: number }>(flush);
      flushedBytes = rows[0]?.bytes ?? 0;
    } catch (error) {
      throw new UnusableReplicaError("The replica lags, and the log of the primary could not be flushed.", {
        cause: error,
      });
    } finally {
      flushing = undefined;
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
    async flush({ bytes }) {
      // Twice, because a running statement may have written its record before the position was read.
      for (let round = 0; round < 2 && flushedBytes < bytes; round += 1) {
        flushing ??= sendFlush();
        await flushing;
      }
    },
  };
}
