import type { Sql, Statement } from "../sql.ts";

/**
 * Clears the data of a deleted webhook that is no longer needed, because a deleted webhook receives nothing and cannot
 * be restored.
 */
export const withoutSecrets =
  "sealed_secret = '', previous_sealed_secrets = '{}', previous_secrets_until = '{}', sealed_headers = NULL, headers = '[]'";

const stepMax = 1_000;

/** Secrets of webhooks that an earlier version deleted. */
const blank: Statement = {
  name: "webhooks.blank-deleted",
  text: `
    UPDATE webhooks w SET ${withoutSecrets}
      FROM (SELECT account_id, id FROM webhooks WHERE deleted_at IS NOT NULL AND sealed_secret <> ''
             LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) deleted
     WHERE w.account_id = deleted.account_id AND w.id = deleted.id`,
};

/**
 * Deletes webhooks an hour after their deletion: by then no transaction that has not seen it still writes a
 * notification.
 */
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
 * Removes deleted webhooks that have no notifications and notices left; their secrets were cleared on deletion. Several
 * workers may call it concurrently.
 * @returns the number of removed webhooks.
 */
export async function removeDeletedWebhooks(sql: Sql): Promise<number> {
  for (let count = stepMax; count === stepMax; ) count = await sql.execute(blank, [stepMax]);
  let removed = 0;
  for (let count = stepMax; count === stepMax; removed += count) count = await sql.execute(remove, [stepMax]);
  return removed;
}
