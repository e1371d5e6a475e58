import { searchText } from "@svc/domain/search";
import type { AccountSql, Statement } from "../sql.ts";

/**
 * A loose index scan from one shipment to the next older one with the key, so that a reference of all shipments costs
 * no more than one of a few, and a shipment with several matching containers counts once. $1 account, $2 keys, $3 the
 * shipment with these references, $4 maximum number of shipments.
 */
const find: Statement = {
  name: "search.find-namesakes",
  text: `
    WITH RECURSIVE step AS (
      SELECT wanted AS key, first.shipment_created_at, first.shipment_id, 1 AS number
      FROM unnest($2::text[]) AS wanted CROSS JOIN LATERAL (
        SELECT k.shipment_created_at, k.shipment_id FROM search_keys k WHERE k.account_id = $1 AND k.key = wanted
        ORDER BY k.shipment_created_at DESC, k.shipment_id DESC LIMIT 1) AS first
      UNION ALL
      SELECT step.key, next.shipment_created_at, next.shipment_id, step.number + 1 FROM step CROSS JOIN LATERAL (
        SELECT k.shipment_created_at, k.shipment_id FROM search_keys k WHERE k.account_id = $1 AND k.key = step.key
          AND (k.shipment_created_at, k.shipment_id) < (step.shipment_created_at, step.shipment_id)
        ORDER BY k.shipment_created_at DESC, k.shipment_id DESC LIMIT 1) AS next
      WHERE step.number <= $4::int),
    namesake AS MATERIALIZED (
      SELECT shipment_created_at, shipment_id, array_agg(key) AS keys FROM step WHERE shipment_id <> $3
      GROUP BY shipment_created_at, shipment_id ORDER BY shipment_created_at DESC, shipment_id DESC LIMIT $4::int)
    SELECT namesake.shipment_id AS id, s.bill_of_lading_number AS number, namesake.keys
    FROM namesake JOIN own_shipments s ON s.account_id = $1 AND s.id = namesake.shipment_id
    ORDER BY namesake.shipment_created_at DESC, namesake.shipment_id DESC`,
};

/** Other shipment with a reference of this one, on itself or one of its containers. */
export interface Namesake {
  readonly id: string;
  /** Bill of lading number. */
  readonly number: string;
  /** The common references, as this shipment writes them. */
  readonly references: readonly string[];
}

/** The newest other shipments that the deep link finds by a reference of this one, at most `limit`. */
export async function findNamesakes(
  sql: AccountSql,
  accountId: string,
  { id, refNumbers }: { readonly id: string; readonly refNumbers: readonly string[] },
  limit: number,
): Promise<Namesake[]> {
  const keys = new Map(refNumbers.map((reference) => [`reference:${searchText(reference)}`, reference]));
  if (keys.size === 0) return [];
  const values = [accountId, [...keys.keys()], id, limit] as const;
  const rows = await sql.rows<{ id: string; number: string; keys: string[] }>(find, values);
  return rows.map((row) => {
    const shared = new Set(row.keys);
    const references = [...keys].flatMap(([key, reference]) => (shared.has(key) ? [reference] : []));
    return { id: row.id, number: row.number, references };
  });
}
