import { otherSpellings, type SearchQuery } from "@svc/domain/search";
import type { AccountSql, Statement } from "../sql.ts";
import { likePattern } from "./like-pattern.ts";

/**
 * The custom fields `f`, with their definitions `d`, whose text begins with the text of one of the patterns.
 * @param patterns of `likePattern`.
 */
export const fieldsThatBegin = (patterns: string): string => `
  custom_fields f JOIN custom_field_definitions d
    ON d.account_id = f.account_id AND d.id = f.definition_id AND d.data_type = 'short_text'
      AND search_text(f.value #>> '{}') LIKE ANY(ARRAY(SELECT substr(pattern, 2) FROM unnest(${patterns}) AS pattern))`;

/** $1 account, $2 ids of shipments, $3 patterns of texts. */
const find: Statement = {
  name: "search.find-field-matches",
  text: `
    SELECT DISTINCT f.entity_id AS id FROM ${fieldsThatBegin("$3::text[]")}
    WHERE f.account_id = $1 AND f.entity_id IN (
      SELECT unnest($2::uuid[])
      UNION ALL SELECT c.id FROM containers c WHERE c.account_id = $1 AND c.shipment_id = ANY($2::uuid[]))`,
};

/** Ids of the shipments, and of their containers, that have a custom field that begins with the text of the search. */
export async function findFieldMatches(
  sql: AccountSql,
  accountId: string,
  shipmentIds: readonly string[],
  { text }: Pick<SearchQuery, "text">,
): Promise<ReadonlySet<string>> {
  if (shipmentIds.length === 0) return new Set();
  const patterns = [text, ...otherSpellings(text)].map(likePattern);
  const rows = await sql.rows<{ id: string }>(find, [accountId, shipmentIds, patterns]);
  return new Set(rows.map(({ id }) => id));
}
