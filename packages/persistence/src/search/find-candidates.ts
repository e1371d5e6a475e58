import type { Instant } from "@svc/domain";
import type { SearchCandidate, SearchQuery } from "@svc/domain/search";
import type { AccountSql, Statement } from "../sql.ts";

/** $1 account, $2 normalised container number or null, $3 text. See find_candidates in the migrations. */
const find: Statement = {
  name: "search.find-candidates",
  text: `
    SELECT s.id AS "shipmentId", s.created_at AS "shipmentCreatedAt",
      array_remove(ARRAY[s.bill_of_lading_number, s.normalized_number, s.booking_number], NULL) AS "shipmentNumbers",
      s.ref_numbers AS "refNumbers", c.id AS "containerId", c.number AS "containerNumber",
      c.ref_numbers AS "containerRefNumbers"
    FROM find_candidates($1, $2, $3) AS found
    JOIN own_shipments s ON s.account_id = $1 AND s.id = found.found_shipment
    LEFT JOIN own_containers c ON c.account_id = $1 AND c.id = found.found_container`,
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
 * Candidates for the query: a few records of the first rule that matches, in one statement. `resolveIdentifier` of the
 * domain selects one. A part of one or two characters is searched in the newest 1,000 shipments only.
 */
export async function findCandidates(
  sql: AccountSql,
  accountId: string,
  { containerNumber, text }: SearchQuery,
): Promise<SearchCandidate[]> {
  const rows = await sql.rows<CandidateRow>(find, [accountId, containerNumber || null, text]);
  return rows.map(toCandidate);
}
