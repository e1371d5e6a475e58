import { otherSpellings, type SearchQuery } from "@svc/domain/search";
import type { AccountSql, Statement } from "../sql.ts";

/** Code point after every text. */
const lastCharacter = 0x10_ffff;
/** Minimum length of the beginning of a custom field. */
const beginningMin = 3;
const first = "ORDER BY shipment_created_at DESC, shipment_id DESC LIMIT $6::int";

/**
 * Finds the candidates of the deep link, exact references and exact texts of custom fields first, then searches the
 * newest shipments, and all others through the index of text pieces only when those did not fill the list, like
 * find_candidates in the migrations. Keys of custom fields are read for one definition after the other, each only up to
 * the limit; materialized, because a policy allows an index only for plain values. $1 account, $2 normalised container
 * number or null, $3 text, $4 other spellings of the text, $5 keys of references, of which each is read only up to the
 * limit, $6 maximum number of shipments.
 */
const findMatching: Statement = {
  name: "search.find-matching-shipments",
  text: `
    WITH meant AS MATERIALIZED (
      SELECT s.created_at AS shipment_created_at, s.id AS shipment_id
      FROM find_candidates($1, $2, $3) AS found JOIN own_shipments s ON s.account_id = $1
        AND s.id = found.found_shipment),
    fields AS MATERIALIZED (
      SELECT 'field:' || d.id || ':' AS key_start FROM custom_field_definitions d
      WHERE d.account_id = $1 AND d.data_type = 'short_text' AND d.entity_type IN ('Shipment', 'Container')),
    wanted AS MATERIALIZED (
      SELECT unnest($5::text[]) AS key UNION ALL
      SELECT key_start || spelling FROM fields CROSS JOIN unnest(array_prepend($3, $4::text[])) AS spelling),
    ranges AS MATERIALIZED (
      SELECT key_start || $3 AS low, key_start || $3 || chr(${lastCharacter}) AS high FROM fields
      WHERE length($3) >= ${beginningMin}),
    referred AS MATERIALIZED (
      SELECT of_key.* FROM wanted CROSS JOIN LATERAL (
        SELECT k.shipment_created_at, k.shipment_id FROM search_keys k WHERE k.account_id = $1 AND k.key = wanted.key
        GROUP BY k.shipment_created_at, k.shipment_id ${first}) AS of_key),
    begun AS MATERIALIZED (
      SELECT of_field.shipment_created_at, of_field.shipment_id FROM ranges CROSS JOIN LATERAL (
        SELECT k.key, k.shipment_created_at, k.shipment_id FROM search_keys k
        WHERE k.account_id = $1 AND k.key > ranges.low AND k.key < ranges.high
        GROUP BY k.key, k.shipment_created_at, k.shipment_id
        ORDER BY k.key DESC, k.shipment_created_at DESC, k.shipment_id DESC LIMIT $6::int) AS of_field),
    recent AS MATERIALIZED (
      SELECT shipment_created_at, shipment_id FROM (
        SELECT t.* FROM own_search_texts t WHERE t.account_id = $1
        ORDER BY t.shipment_created_at DESC, t.shipment_id DESC LIMIT newest_searched($2, $3)) AS newest
      WHERE strpos(names, $3) > 0 OR strpos(container_numbers, $2) > 0
        OR EXISTS (SELECT FROM unnest($4::text[]) AS spelling WHERE strpos(names, spelling) > 0) ${first}),
    other AS MATERIALIZED (
      SELECT found.* FROM (SELECT $2, $3 UNION ALL SELECT NULL, unnest($4::text[])) AS parts (container_number, name)
      CROSS JOIN LATERAL find_by_pieces($1, container_number, name, $6) AS found
      WHERE (SELECT count(*) < $6::int FROM recent)),
    found AS (
      SELECT shipment_created_at, shipment_id, min(rank) AS rank FROM (
        SELECT *, 1 AS rank FROM meant UNION ALL SELECT *, 2 FROM referred
        UNION ALL SELECT *, 3 FROM recent UNION ALL SELECT *, 3 FROM other UNION ALL SELECT *, 3 FROM begun) AS several
      GROUP BY shipment_created_at, shipment_id
      ORDER BY rank, shipment_created_at DESC, shipment_id DESC LIMIT $6::int)
    SELECT shipment_id AS id FROM found ORDER BY shipment_created_at DESC, shipment_id DESC`,
};

/**
 * Ids of the shipments that a search box shows for the query, newest first, at most `limit`. The target of the query as
 * a deep link is always among them. A number or reference of the shipment or a number of its containers contains the
 * text, or a container's reference or a text of a custom field equals it, also where they are written with other
 * separators or none, or such a field begins with it. A text of one or two characters is searched in the newest 1,000
 * shipments only.
 */
export async function findMatchingShipments(
  sql: AccountSql,
  accountId: string,
  { containerNumber, number, text }: SearchQuery,
  limit: number,
): Promise<string[]> {
  const spellings = new Set([...(number === "" ? [] : [number]), ...otherSpellings(text)]);
  spellings.delete(text);
  const keys = [text, ...spellings].map((spelling) => `reference:${spelling}`);
  const values = [accountId, containerNumber || null, text, [...spellings], keys, limit] as const;
  const rows = await sql.rows<{ id: string }>(findMatching, values);
  return rows.map((row) => row.id);
}
