import type { Instant, SearchCandidate, SearchQuery } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";
import { indexedPattern, likePattern, shipmentSearchText } from "./search-forms.ts";

/** Candidates of each rule. More than one, because the domain decides which is first. */
const candidatesPerRule = 3;

/**
 * Partial matches are looked for among the newest shipments first: what many shipments match is found there at once, in
 * the right order, and what is not found there is rare enough to be collected from the trigram index and sorted. The
 * planner cannot know which of the two a text is, and guesses badly both ways.
 */
const newestShipments = 200;

const first = `ORDER BY created_at DESC, shipment_id DESC, number LIMIT ${candidatesPerRule}`;

/** Lateral, so that however many rows the planner expects, each shipment is looked up by its key. */
const createdAt = (shipmentId: string): string => `
  CROSS JOIN LATERAL (SELECT s.created_at FROM own_shipments s WHERE s.account_id = $1 AND s.id = ${shipmentId} LIMIT 1) AS shipment`;

/**
 * Every branch runs only when those before it found nothing (their emptiness is a one-time filter), so that an exact match
 * costs one or two index look-ups. $1 account, $2 container number, $3 keys of shipments and of containers' references,
 * $4 and $5 patterns for containers and shipments, $6 and $7 the same, null without trigrams.
 */
const findCandidatesOfAllRules: Statement = {
  name: "search.find-candidates",
  text: `
    WITH exact_container AS MATERIALIZED (
      SELECT c.shipment_id, c.id AS container_id, shipment.created_at, c.number
      FROM own_containers c ${createdAt("c.shipment_id")}
      WHERE c.account_id = $1 AND c.number = $2
      ${first}),
    exact_shipment AS MATERIALIZED (
      SELECT found.* FROM unnest($3::text[]) AS wanted CROSS JOIN LATERAL (
        SELECT k.shipment_id, k.container_id, k.shipment_created_at AS created_at, k.container_number AS number FROM search_keys k
        WHERE k.account_id = $1 AND k.key = wanted
        ORDER BY k.shipment_created_at DESC, k.shipment_id DESC, k.container_number LIMIT ${candidatesPerRule}) AS found
      WHERE NOT EXISTS (SELECT FROM exact_container)
      ${first}),
    newest AS MATERIALIZED (
      SELECT s.id AS shipment_id, s.created_at, s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers
      FROM own_shipments s
      WHERE s.account_id = $1 AND NOT EXISTS (SELECT FROM exact_container) AND NOT EXISTS (SELECT FROM exact_shipment)
      ORDER BY s.created_at DESC, s.id DESC LIMIT ${newestShipments}),
    older AS MATERIALIZED (SELECT count(*) = ${newestShipments} AS exist FROM newest),
    new_container AS MATERIALIZED (
      SELECT newest.shipment_id, found.id AS container_id, newest.created_at, found.number
      FROM newest CROSS JOIN LATERAL (
        SELECT c.id, c.number FROM own_containers c
        WHERE c.account_id = $1 AND c.shipment_id = newest.shipment_id AND c.number LIKE $4
        ORDER BY c.number LIMIT 1) AS found
      ${first}),
    part_numbered AS MATERIALIZED (
      SELECT c.shipment_id, c.id AS container_id, shipment.created_at, c.number
      FROM own_containers c ${createdAt("c.shipment_id")}
      WHERE c.account_id = $1 AND c.number LIKE $6
        AND (SELECT exist FROM older) AND NOT EXISTS (SELECT FROM new_container)),
    old_container AS MATERIALIZED (SELECT * FROM part_numbered ${first}),
    new_shipment AS MATERIALIZED (
      SELECT newest.shipment_id, NULL::uuid AS container_id, newest.created_at, '' AS number FROM newest
      WHERE NOT EXISTS (SELECT FROM new_container) AND NOT EXISTS (SELECT FROM old_container)
        AND ${shipmentSearchText("newest")} LIKE $5
      ${first}),
    part_named AS MATERIALIZED (
      SELECT s.id AS shipment_id, NULL::uuid AS container_id, s.created_at, '' AS number FROM own_shipments s
      WHERE s.account_id = $1 AND ${shipmentSearchText("s")} LIKE $7
        AND (SELECT exist FROM older) AND NOT EXISTS (SELECT FROM new_container)
        AND NOT EXISTS (SELECT FROM old_container) AND NOT EXISTS (SELECT FROM new_shipment)),
    old_shipment AS MATERIALIZED (SELECT * FROM part_named ${first}),
    found AS (
      TABLE exact_container UNION ALL TABLE exact_shipment UNION ALL TABLE new_container UNION ALL TABLE old_container
      UNION ALL TABLE new_shipment UNION ALL TABLE old_shipment)
    SELECT s.id AS "shipmentId", s.created_at AS "shipmentCreatedAt",
      array_remove(ARRAY[s.bill_of_lading_number, s.normalized_number, s.booking_number], NULL) AS "shipmentNumbers",
      s.ref_numbers AS "refNumbers", c.id AS "containerId", c.number AS "containerNumber",
      c.ref_numbers AS "containerRefNumbers"
    FROM found
    JOIN own_shipments s ON s.account_id = $1 AND s.id = found.shipment_id
    LEFT JOIN own_containers c ON c.account_id = $1 AND c.id = found.container_id`,
};

interface CandidateRow extends Omit<SearchCandidate, "container"> {
  readonly shipmentCreatedAt: Instant;
  readonly containerId: string | null;
  readonly containerNumber: string | null;
  readonly containerRefNumbers: readonly string[] | null;
}

function toCandidate(row: CandidateRow): SearchCandidate {
  const { containerId, containerNumber, containerRefNumbers, ...shipment } = row;
  const container =
    containerId === null || containerNumber === null
      ? null
      : { id: containerId, number: containerNumber, refNumbers: containerRefNumbers ?? [] };
  return { ...shipment, container };
}

/**
 * What the account has that may be meant by the query, in one statement: a few candidates of the first rule that matches.
 * `resolveIdentifier` of the domain decides. A part without three letters or digits of ASCII in a row is looked
 * for among the newest 200 shipments only: it has no trigrams, and a scan of a large account would take too long.
 */
export async function findCandidates(
  sql: AccountSql,
  accountId: string,
  query: SearchQuery,
): Promise<SearchCandidate[]> {
  const { number, text } = query;
  const reference = `reference:${text}`;
  const numberPattern = number === "" ? null : likePattern(number);
  const textPattern = likePattern(text);
  const rows = await sql.rows<CandidateRow>(findCandidatesOfAllRules, [
    accountId,
    number === "" ? null : number,
    number === "" ? [reference] : [reference, `number:${number}`],
    numberPattern,
    textPattern,
    indexedPattern(number),
    indexedPattern(text),
  ]);
  return rows.map(toCandidate);
}
