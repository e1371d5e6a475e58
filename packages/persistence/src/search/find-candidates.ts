import type { Instant, SearchCandidate, SearchQuery } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";
import { indexedPattern, likePattern, newestShipments } from "./search-forms.ts";

/** Candidates of each rule. More than one, because the domain decides which is first. */
const candidatesPerRule = 3;

const first = `ORDER BY created_at DESC, shipment_id DESC, number LIMIT ${candidatesPerRule}`;

/** Of `found`: shipment_id, and container_id where a container is meant. */
const candidates = `
  SELECT s.id AS "shipmentId", s.created_at AS "shipmentCreatedAt",
    array_remove(ARRAY[s.bill_of_lading_number, s.normalized_number, s.booking_number], NULL) AS "shipmentNumbers",
    s.ref_numbers AS "refNumbers", c.id AS "containerId", c.number AS "containerNumber",
    c.ref_numbers AS "containerRefNumbers"
  FROM found
  JOIN own_shipments s ON s.account_id = $1 AND s.id = found.shipment_id
  LEFT JOIN own_containers c ON c.account_id = $1 AND c.id = found.container_id`;

/**
 * One or two look-ups by key. What is meant exactly is looked for apart, because most of what is asked ends here. $1 account,
 * $2 container number, $3 keys of shipments and of containers' references. The second rule is asked only when nothing
 * was found by the first.
 */
const exact: Statement = {
  name: "search.find-exact-candidates",
  text: `
    WITH exact_container AS MATERIALIZED (
      SELECT c.shipment_id, c.id AS container_id, shipment.created_at, c.number
      FROM own_containers c CROSS JOIN LATERAL (
        SELECT s.created_at FROM own_shipments s WHERE s.account_id = $1 AND s.id = c.shipment_id LIMIT 1) AS shipment
      WHERE c.account_id = $1 AND c.number = $2
      ${first}),
    exact_shipment AS MATERIALIZED (
      SELECT found.* FROM unnest($3::text[]) AS wanted CROSS JOIN LATERAL (
        SELECT k.shipment_id, k.container_id, k.shipment_created_at AS created_at, k.container_number AS number FROM search_keys k
        WHERE k.account_id = $1 AND k.key = wanted
        ORDER BY k.shipment_created_at DESC, k.shipment_id DESC, k.container_number LIMIT ${candidatesPerRule}) AS found
      WHERE NOT EXISTS (SELECT FROM exact_container)
      ${first}),
    found AS (TABLE exact_container UNION ALL TABLE exact_shipment)
    ${candidates}`,
};

/**
 * Parts (find_parts, in the migrations, tells how). Of the containers that have the part the smallest number is meant. $1
 * account, $2 and $3 patterns for containers and shipments, $4 and $5 the same, null without trigrams.
 */
const partial: Statement = {
  name: "search.find-partial-candidates",
  text: `
    WITH found AS MATERIALIZED (
      SELECT part.found_id AS shipment_id, box.id AS container_id
      FROM find_parts($1, $2, $3, $4, $5, ${newestShipments}, ${candidatesPerRule}) AS part
      LEFT JOIN LATERAL (
        SELECT c.id FROM own_containers c
        WHERE part.by_container AND c.account_id = $1 AND c.shipment_id = part.found_id AND c.number LIKE $2
        ORDER BY c.number LIMIT 1) AS box ON true)
    ${candidates}`,
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
 * What the account has that may be meant by the query: a few candidates of the first rule that matches, in one statement
 * when something is called so exactly, else in two. `resolveIdentifier` of the domain decides. A part without three letters or digits of
 * ASCII in a row is looked for among the newest 1,000 shipments only: it has no trigrams, and a scan of a large account
 * would take too long.
 */
export async function findCandidates(
  sql: AccountSql,
  accountId: string,
  { number, text }: SearchQuery,
): Promise<SearchCandidate[]> {
  const reference = `reference:${text}`;
  const keys = number === "" ? [reference] : [reference, `number:${number}`];
  const called = await sql.rows<CandidateRow>(exact, [accountId, number === "" ? null : number, keys]);
  if (called.length > 0) return called.map(toCandidate);
  const parts = await sql.rows<CandidateRow>(partial, [
    accountId,
    number === "" ? null : likePattern(number),
    likePattern(text),
    indexedPattern(number),
    indexedPattern(text),
  ]);
  return parts.map(toCandidate);
}
