import type { SearchQuery } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";
import { indexedPattern, likePattern, shipmentSearchText } from "./search-forms.ts";

const newestShipments = 200;

/**
 * As findCandidates: the newest shipments first, and the trigram indexes only when those did not fill the list. $1 account,
 * $2 and $3 patterns for containers and shipments, $4 and $5 the same, null without trigrams, $6 key
 * of containers' references, $7 shipments at most.
 */
const findMatching: Statement = {
  name: "search.find-matching-shipments",
  text: `
    WITH newest AS MATERIALIZED (
      SELECT s.id, s.created_at, s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers
      FROM own_shipments s WHERE s.account_id = $1 ORDER BY s.created_at DESC, s.id DESC LIMIT ${newestShipments}),
    new_match AS MATERIALIZED (
      SELECT newest.id, newest.created_at FROM newest
      WHERE ${shipmentSearchText("newest")} LIKE $3 OR EXISTS (
        SELECT FROM own_containers c WHERE c.account_id = $1 AND c.shipment_id = newest.id
          AND (c.number LIKE $2 OR reference_keys(c.ref_numbers) && ARRAY[$6::text]))),
    look_further AS MATERIALIZED (
      SELECT (SELECT count(*) = ${newestShipments} FROM newest) AND (SELECT count(*) < $7::int FROM new_match) AS needed),
    part_numbered AS MATERIALIZED (
      SELECT c.shipment_id FROM own_containers c
      WHERE c.account_id = $1 AND c.number LIKE $4 AND (SELECT needed FROM look_further)),
    referred AS MATERIALIZED (
      SELECT DISTINCT k.shipment_created_at, k.shipment_id FROM search_keys k
      WHERE k.account_id = $1 AND k.key = $6 AND (SELECT needed FROM look_further)
      ORDER BY k.shipment_created_at DESC, k.shipment_id DESC LIMIT $7::int),
    old_match AS MATERIALIZED (
      SELECT s.id, s.created_at FROM own_shipments s
      WHERE s.account_id = $1 AND ${shipmentSearchText("s")} LIKE $5 AND (SELECT needed FROM look_further)
      UNION
      SELECT s.id, s.created_at FROM (TABLE part_numbered UNION SELECT shipment_id FROM referred) AS boxes
      JOIN own_shipments s ON s.account_id = $1 AND s.id = boxes.shipment_id)
    SELECT id FROM (TABLE new_match UNION TABLE old_match) AS found ORDER BY created_at DESC, id DESC LIMIT $7::int`,
};

/**
 * Ids of the shipments that a search box should show for the query, newest first, `limit` at most: a number or reference of
 * the shipment or a number of its containers contains the text, or a container's reference equals it. A text without
 * three letters or digits of ASCII in a row is looked for among the newest 200 shipments only.
 */
export async function findMatchingShipments(
  sql: AccountSql,
  accountId: string,
  query: SearchQuery,
  limit: number,
): Promise<string[]> {
  const { number, text } = query;
  const numberPattern = number === "" ? null : likePattern(number);
  const textPattern = likePattern(text);
  const rows = await sql.rows<{ id: string }>(findMatching, [
    accountId,
    numberPattern,
    textPattern,
    indexedPattern(number),
    indexedPattern(text),
    `reference:${text}`,
    limit,
  ]);
  return rows.map((row) => row.id);
}
