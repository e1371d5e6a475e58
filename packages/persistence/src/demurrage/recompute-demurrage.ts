import type { Database } from "../database.ts";
import { nilUuid } from "../ids.ts";
import type { Statement } from "../sql.ts";

/** Locks the recomputation that waits longest; other workers take another one. */
const lockNext: Statement = {
  name: "demurrage.lock-recomputation",
  text: `
    SELECT r.account_id AS "accountId", r.id, r.carrier_scac AS "carrierScac", r.after_shipment_id AS "afterShipmentId"
    FROM demurrage_recomputations r JOIN accounts a ON a.id = r.account_id AND a.suspended_at IS NULL
    ORDER BY r.created_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
};

/** Due on every clock, behind what has changed itself, whose checks are due since -infinity. */
const scheduleChecks: Statement = {
  name: "demurrage.make-due",
  text: `
    WITH batch AS (
      SELECT s.id FROM shipments s
      WHERE s.account_id = $1 AND s.id > COALESCE($2::uuid, '${nilUuid}')
      ORDER BY s.id LIMIT $4
    ), due AS (
      INSERT INTO exception_checks AS c (account_id, subject_id, subject_type, due_at)
      SELECT $1, b.id, 'shipment', 'epoch' FROM batch b
      JOIN shipments s ON s.account_id = $1 AND s.id = b.id AND ($3::text IS NULL OR s.shipping_line_scac = $3)
      ORDER BY b.id
      ON CONFLICT (account_id, subject_id) DO UPDATE SET due_at = excluded.due_at WHERE c.due_at > excluded.due_at)
    SELECT count(*)::int AS count, (array_agg(id ORDER BY id DESC))[1] AS "lastId" FROM batch`,
};

/** Behind those of other accounts. */
const continueFrom: Statement = {
  name: "demurrage.continue-recomputation",
  text: `
    UPDATE demurrage_recomputations SET after_shipment_id = $3, created_at = clock_timestamp()
    WHERE account_id = $1 AND id = $2`,
};
const finish: Statement = {
  name: "demurrage.finish-recomputation",
  text: "DELETE FROM demurrage_recomputations WHERE account_id = $1 AND id = $2",
};

interface NextRow {
  readonly accountId: string;
  readonly id: string;
  readonly carrierScac: string | null;
  readonly afterShipmentId: string | null;
}

/**
 * Makes the checks of a batch of shipments due that a changed rule may apply to; which computes their charges again.
 * Several processes may call it.
 * @returns whether there was a changed rule.
 */
export const continueRecomputation = (database: Database, batchSize: number): Promise<boolean> =>
  database.transaction(async (sql) => {
    const [next] = await sql.rows<NextRow>(lockNext, []);
    if (!next) return false;
    const { accountId, id, carrierScac, afterShipmentId } = next;
    const values = [accountId, afterShipmentId, carrierScac, batchSize];
    const [batch] = await sql.rows<{ count: number; lastId: string | null }>(scheduleChecks, values);
    if (batch && batch.count === batchSize) await sql.execute(continueFrom, [accountId, id, batch.lastId]);
    else await sql.execute(finish, [accountId, id]);
    return true;
  });
