import type { SearchQuery } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

const first = "ORDER BY shipment_created_at DESC, shipment_id DESC LIMIT $5::int";

/**
 * The newest shipments first, and all others by pieces only when those did not fill the list, as find_candidates in the
 * migrations does. $1 account, $2 number, null when nothing is left of it, $3 text, $4 key of containers' references, $5
 * shipments at most.
 */
const findMatching: Statement = {
  name: "search.find-matching-shipments",
  text: `
    WITH recent AS MATERIALIZED (
      SELECT shipment_created_at, shipment_id FROM (
        SELECT t.* FROM own_search_texts t WHERE t.account_id = $1
        ORDER BY t.shipment_created_at DESC, t.shipment_id DESC LIMIT newest_searched($2, $3)) AS newest
      WHERE strpos(names, $3) > 0 OR strpos(container_numbers, $2) > 0 ${first}),
    referred AS MATERIALIZED (
      SELECT k.shipment_created_at, k.shipment_id FROM search_keys k WHERE k.account_id = $1 AND k.key = $4
      GROUP BY k.shipment_created_at, k.shipment_id ${first}),
    other AS MATERIALIZED (
      SELECT made_at, found_id FROM find_by_pieces($1, $2, $3, $5) WHERE (SELECT count(*) < $5::int FROM recent))
    SELECT shipment_id AS id FROM (TABLE recent UNION TABLE referred UNION TABLE other) AS found ${first}`,
};

/**
 * Ids of the shipments that a search box should show for the query, newest first, `limit` at most: a number or reference of
 * the shipment or a number of its containers contains the text, or a container's reference equals it. A text of one or two
 * characters is looked for among the newest 1,000 shipments only.
 */
export async function findMatchingShipments(
  sql: AccountSql,
  accountId: string,
  { number, text }: SearchQuery,
  limit: number,
): Promise<string[]> {
  const values = [accountId, number === "" ? null : number, text, `reference:${text}`, limit] as const;
  const rows = await sql.rows<{ id: string }>(findMatching, values);
  return rows.map((row) => row.id);
}
