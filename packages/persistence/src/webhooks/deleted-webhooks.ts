import type { Sql, Statement } from "../sql.ts";

/** What nobody needs of a webhook that is deleted: nothing is sent to it any more, and it does not come back. */
export const withoutSecrets =
  "sealed_secret = '', previous_sealed_secrets = '{}', previous_secrets_until = '{}', sealed_headers = NULL, headers = '[]'";

const stepMax = 1_000;

/** Of those that a version before deleted. */
const blank: Statement = {
  name: "webhooks.blank-deleted",
  text: `
    UPDATE webhooks w SET ${withoutSecrets}
      FROM (SELECT account_id, id FROM webhooks WHERE deleted_at IS NOT NULL AND sealed_secret <> ''
             LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) deleted
     WHERE w.account_id = deleted.account_id AND w.id = deleted.id`,
};

/** An hour later nobody still writes a notification for it, who did not know yet that it was deleted. */
const remove: Statement = {
  name: "webhooks.remove-deleted",
  text: `
    DELETE FROM webhooks WHERE (account_id, id) IN (
      SELECT w.account_id, w.id FROM webhooks w
       WHERE w.deleted_at < now() - interval '1 hour'
         AND NOT EXISTS (SELECT FROM webhook_notifications n WHERE n.account_id = w.account_id AND n.webhook_id = w.id)
         AND NOT EXISTS (SELECT FROM webhook_notices n WHERE n.account_id = w.account_id AND n.webhook_id = w.id)
         AND NOT EXISTS (SELECT FROM webhook_claims c WHERE c.account_id = w.account_id AND c.webhook_id = w.id)
       LIMIT $1 FOR UPDATE OF w SKIP LOCKED)`,
};

/**
 * Removes deleted webhooks with the last of their notifications and notices; their secrets went when they were deleted. Several
 * workers may do it at once.
 * @returns how many.
 */
export async function removeDeletedWebhooks(sql: Sql): Promise<number> {
  for (let count = stepMax; count === stepMax; ) count = await sql.execute(blank, [stepMax]);
  let removed = 0;
  for (let count = stepMax; count === stepMax; removed += count) count = await sql.execute(remove, [stepMax]);
  return removed;
}
