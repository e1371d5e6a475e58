import { nilUuid } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";
import { returnToPending } from "./claim-leases.ts";

/**
 * A claim is committed without waiting for the disk, and after a failover of PostgreSQL to an asynchronous replica its
 * row may be missing while its deliveries still name it. No other step makes them due again. Each step reads a bounded
 * number of deliveries.
 */
const repair: Statement = {
  name: "delivery.repair-orphans",
  text: `
    WITH part AS (
      SELECT account_id, notification_id FROM webhook_deliveries
       WHERE (account_id, notification_id) > ($1::uuid, $2::uuid)
       ORDER BY account_id, notification_id LIMIT $3),
    orphan AS (
      SELECT d.account_id, d.notification_id FROM part JOIN webhook_deliveries d USING (account_id, notification_id)
       WHERE d.claim_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM webhook_claims c WHERE c.account_id = d.account_id AND c.id = d.claim_id)
         FOR NO KEY UPDATE OF d SKIP LOCKED),
    repaired AS (
      UPDATE webhook_deliveries d SET ${returnToPending}
        FROM orphan WHERE d.account_id = orphan.account_id AND d.notification_id = orphan.notification_id
      RETURNING d.notification_id)
    SELECT (SELECT count(*)::int FROM repaired) AS repaired,
           last.account_id AS "accountId", last.notification_id AS "notificationId"
      FROM (SELECT 1) one LEFT JOIN LATERAL (
        SELECT * FROM part ORDER BY account_id, notification_id OFFSET $3 - 1) last ON true`,
};

const partMax = 10_000;

/** The last delivery of the previous batch. */
export interface RepairCursor {
  readonly accountId: string;
  readonly notificationId: string;
}

interface RepairRow {
  readonly repaired: number;
  /** The last delivery of a full batch. */
  readonly accountId: string | null;
  readonly notificationId: string | null;
}

/**
 * Makes deliveries due whose claim does not exist, among the next 10,000.
 * @returns their number, and the cursor of the next batch; null after the last one.
 */
export async function repairOrphanedDeliveries(
  sql: Sql,
  after: RepairCursor | null,
): Promise<{ readonly repaired: number; readonly cursor: RepairCursor | null }> {
  const { accountId, notificationId } = after ?? { accountId: nilUuid, notificationId: nilUuid };
  const [row] = await sql.rows<RepairRow>(repair, [accountId, notificationId, partMax]);
  const { accountId: lastAccountId, notificationId: lastId, repaired = 0 } = row ?? {};
  return { repaired, cursor: lastAccountId && lastId ? { accountId: lastAccountId, notificationId: lastId } : null };
}
