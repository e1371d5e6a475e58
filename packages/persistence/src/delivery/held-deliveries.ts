import type { Sql, Statement } from "../sql.ts";
import { isUnheldPending, webhooksWithBacklog } from "./unheld-deliveries.ts";

const isOff = (w: string): string => `${w}.deleted_at IS NULL AND (NOT ${w}.active OR ${w}.paused)`;

/** Condition of the index `webhooks_to_resume`. A deleted webhook resumes so that its deliveries fail. */
export const mustResume = (w: string): string =>
  `${w}.has_held AND (${w}.deleted_at IS NOT NULL OR (${w}.active AND NOT ${w}.paused))`;

/**
 * pending → held. The lock on the webhook prevents changes until this transaction commits, so that a resume finds every
 * held delivery.
 */
const hold: Statement = {
  name: "delivery.hold",
  text: `
    WITH RECURSIVE ${webhooksWithBacklog},
    off AS (
      SELECT w.account_id, w.id
        FROM webhooks_with_backlog found
        JOIN webhooks w ON w.account_id = found.account_id AND w.id = found.webhook_id
       WHERE ${isOff("w")} LIMIT $1),
    locked AS (
      SELECT w.account_id, w.id FROM off JOIN webhooks w USING (account_id, id)
       WHERE ${isOff("w")} ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w SKIP LOCKED),
    marked AS (
      UPDATE webhooks w SET has_held = true FROM locked
       WHERE w.account_id = locked.account_id AND w.id = locked.id AND NOT w.has_held),
    part AS (
      SELECT free.account_id, free.notification_id
        FROM locked CROSS JOIN LATERAL (
          SELECT d.account_id, d.notification_id FROM webhook_deliveries d
           WHERE d.account_id = locked.account_id AND d.webhook_id = locked.id
             AND ${isUnheldPending("d")} AND d.claim_id IS NULL
           ORDER BY d.recovered, d.next_attempt_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) free
       LIMIT $2)
    UPDATE webhook_deliveries d SET held = true FROM part
     WHERE d.account_id = part.account_id AND d.notification_id = part.notification_id`,
};

/** held → pending, for one webhook that was resumed or deleted. */
const resume: Statement = {
  name: "delivery.resume",
  text: `
    WITH webhook AS (
      SELECT w.account_id, w.id FROM webhooks w WHERE ${mustResume("w")} LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
    part AS (
      SELECT d.account_id, d.notification_id FROM webhook JOIN webhook_deliveries d
          ON d.account_id = webhook.account_id AND d.webhook_id = webhook.id
       WHERE d.held ORDER BY d.next_attempt_at LIMIT $1 FOR NO KEY UPDATE OF d),
    resumed AS (
      UPDATE webhook_deliveries d SET held = false FROM part
       WHERE d.account_id = part.account_id AND d.notification_id = part.notification_id
      RETURNING d.notification_id),
    finished AS (
      UPDATE webhooks w SET has_held = false FROM webhook
       WHERE w.account_id = webhook.account_id AND w.id = webhook.id AND (SELECT count(*) FROM resumed) < $1)
    SELECT FROM webhook`,
};

/** held → failed, for what has been due for longer than the retention. */
const expire: Statement = {
  name: "delivery.expire-held",
  text: `
    UPDATE webhook_deliveries d SET delivery_status = 'failed', next_attempt_at = NULL, held = false, recovered = false
      FROM (
        SELECT old.account_id, old.notification_id FROM webhooks w CROSS JOIN LATERAL (
          SELECT d.account_id, d.notification_id FROM webhook_deliveries d
           WHERE d.account_id = w.account_id AND d.webhook_id = w.id AND d.held
             AND d.next_attempt_at < now() - $1 * interval '1 day'
           ORDER BY d.next_attempt_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) old
         WHERE w.has_held LIMIT $2) old
     WHERE d.account_id = old.account_id AND d.notification_id = old.notification_id`,
};

const webhooksMax = 100;
const stepMax = 2_000;

/** Holds up to 2,000 deliveries of webhooks that are paused or disabled. @returns how many. */
export const holdDeliveries = (sql: Sql): Promise<number> => sql.execute(hold, [webhooksMax, stepMax]);

/** Resumes up to 2,000 deliveries of one webhook. @returns whether there was such a webhook; another may follow. */
export const resumeDeliveries = async (sql: Sql): Promise<boolean> => (await sql.rows(resume, [stepMax])).length > 0;

/** Fails up to 2,000 held deliveries that have been due for longer than the retention. @returns how many. */
export const expireHeldDeliveries = (sql: Sql, retentionDays: number): Promise<number> =>
  sql.execute(expire, [retentionDays, stepMax]);
