import type { Statement } from "../sql.ts";

/**
 * Locks the grants of a user, as a statement before the one that ends them: that must see the tokens that were stored
 * until then. Storing a token locks its grant first as well, so the two do not deadlock.
 */
export const lockGrantsOfUser: Statement = {
  name: "oauth-records.lock-grants-of-user",
  text: `
    SELECT grant_id FROM oauth_records
    WHERE model = 'Grant' AND split_part(payload ->> 'accountId', ':', 2) = $1::text ORDER BY grant_id FOR UPDATE`,
};

/**
 * Statements of a WITH clause that end what gives access without the password or a provider: API tokens and calendars
 * of the users, and the applications that they connected.
 * @param users a table with their `id`.
 */
export const endLastingAccess = (users: string): string => `
    calendars AS (DELETE FROM calendar_feeds f USING ${users} WHERE f.user_id = ${users}.id),
    revoked AS (
      UPDATE api_tokens t SET revoked_at = now() FROM ${users}
      WHERE t.created_by_user_id = ${users}.id AND t.revoked_at IS NULL),
    disconnected AS (
      DELETE FROM oauth_records r USING oauth_records g, ${users}
      WHERE g.model = 'Grant' AND r.grant_id = g.grant_id
        AND split_part(g.payload ->> 'accountId', ':', 2) = ${users}.id::text)`;
