import type { SearchQuery } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";
import { likePattern, shipmentSearchText, shortestIndexed } from "./search-forms.ts";

const newestShipments = 200;

/**
 * As findCandidates: the newest shipments first, and the trigram indexes only when those did not fill the list. $1 account,
 * $2 and $3 patterns for containers and shipments, $4 and $5 the same, null when too short for the trigram indexes, $6 keys
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
          AND (c.number LIKE $2 OR reference_keys(c.ref_numbers) && $6::text[]))),
    look_further AS MATERIALIZED (
      SELECT (SELECT count(*) = ${newestShipments} FROM newest) AND (SELECT count(*) < $7::int FROM new_match) AS needed),
    part_numbered AS MATERIALIZED (
      SELECT c.shipment_id FROM own_containers c
      WHERE c.account_id = $1 AND c.number LIKE $4 AND (SELECT needed FROM look_further)),
    referred AS MATERIALIZED (
      SELECT c.shipment_id FROM own_containers c
      WHERE c.account_id = $1 AND reference_keys(c.ref_numbers) && $6::text[] AND (SELECT needed FROM look_further)),
    old_match AS MATERIALIZED (
      SELECT s.id, s.created_at FROM own_shipments s
      WHERE s.account_id = $1 AND ${shipmentSearchText("s")} LIKE $5 AND (SELECT needed FROM look_further)
      UNION
      SELECT s.id, s.created_at FROM (TABLE part_numbered UNION TABLE referred) AS boxes
      JOIN own_shipments s ON s.account_id = $1 AND s.id = boxes.shipment_id)
    SELECT id FROM (TABLE new_match UNION TABLE old_match) AS found ORDER BY created_at DESC, id DESC LIMIT $7::int`,
};

/**
 * Ids of the shipments that a search box should show for the query, newest first, `limit` at most: a number or reference of
 * the shipment or a number of its containers contains the text, or a container's reference equals it. A text shorter than
 * three characters is looked for among the newest 200 shipments only.
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
    number.length < shortestIndexed ? null : numberPattern,
    text.length < shortestIndexed ? null : textPattern,
    [`reference:${text}`],
    limit,
  ]);
  return rows.map((row) => row.id);
}
