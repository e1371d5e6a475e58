import type { SearchQuery } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";
import { indexedPattern, likePattern, newestTexts } from "./search-forms.ts";

const first = "ORDER BY shipment_created_at DESC, shipment_id DESC LIMIT $7::int";

/**
 * As the parts of findCandidates: the newest shipments first, and the trigram indexes only when those did not fill the list.
 * $1 account, $2 and $3 patterns for containers and shipments, $4 and $5 the same, null without trigrams, $6 key
 * of containers' references, $7 shipments at most.
 */
const findMatching: Statement = {
  name: "",
  text: `
    WITH new_match AS MATERIALIZED (
      SELECT shipment_created_at, shipment_id FROM ${newestTexts} AS newest WHERE names LIKE $3 OR container_numbers LIKE $2 ${first}),
    referred AS MATERIALIZED (
      SELECT k.shipment_created_at, k.shipment_id FROM search_keys k WHERE k.account_id = $1 AND k.key = $6
      GROUP BY k.shipment_created_at, k.shipment_id ${first}),
    look_further AS MATERIALIZED (SELECT count(*) < $7::int AS needed FROM new_match),
    boxed AS MATERIALIZED (
      SELECT t.shipment_created_at, t.shipment_id FROM own_search_texts t
      WHERE t.account_id = $1 AND t.container_numbers LIKE $4 AND (SELECT needed FROM look_further)),
    named AS MATERIALIZED (
      SELECT t.shipment_created_at, t.shipment_id FROM own_search_texts t
      WHERE t.account_id = $1 AND t.names LIKE $5 AND (SELECT needed FROM look_further))
    SELECT shipment_id AS id FROM (
      TABLE new_match UNION TABLE referred UNION TABLE boxed UNION TABLE named) AS found ${first}`,
};

/**
 * Ids of the shipments that a search box should show for the query, newest first, `limit` at most: a number or reference of
 * the shipment or a number of its containers contains the text, or a container's reference equals it. A text without
 * three letters or digits of ASCII in a row is looked for among the newest 1,000 shipments only.
 */
export async function findMatchingShipments(
  sql: AccountSql,
  accountId: string,
  { number, text }: SearchQuery,
  limit: number,
): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(findMatching, [
    accountId,
    number === "" ? null : likePattern(number),
    likePattern(text),
    indexedPattern(number),
    indexedPattern(text),
    `reference:${text}`,
    limit,
  ]);
  return rows.map((row) => row.id);
}
