import { otherSpellings, type SearchQuery } from "@svc/domain/search";
import { withNames } from "../named-parameters.ts";
import type { AccountSql } from "../sql.ts";

/** Minimum length of the beginning of a custom field. */
const beginningMin = 3;
const first = "ORDER BY shipment_created_at DESC, shipment_id DESC LIMIT :limit::int";

/**
 * Finds the candidates of the deep link, exact references, the exact number without its prefix and exact texts of
 * custom fields first, then searches the newest shipments, and all others through the index of text pieces only when
 * those did not fill the list, like find_candidates in the migrations. Of each exact key, shipments are read only up to
 * the limit.
 */
const findMatching = withNames(
  {
    name: "search.find-matching-shipments",
    text: `
    WITH meant AS MATERIALIZED (
      SELECT s.created_at AS shipment_created_at, s.id AS shipment_id
      FROM find_candidates(:accountId, :containerNumber, :text) AS found
      JOIN own_shipments s ON s.account_id = :accountId AND s.id = found.found_shipment),
    referred AS MATERIALIZED (
      SELECT of_key.* FROM unnest(:exactKeys::text[]) AS wanted CROSS JOIN LATERAL (
        SELECT k.shipment_created_at, k.shipment_id FROM search_keys k
        WHERE k.account_id = :accountId AND k.key = wanted
        GROUP BY k.shipment_created_at, k.shipment_id ${first}) AS of_key),
    with_field AS MATERIALIZED (
      SELECT made_at, found_id, is_whole
      FROM find_by_custom_fields(:accountId, :texts::text[], :beginnings::text[], :limit::int)),
    recent AS MATERIALIZED (
      SELECT shipment_created_at, shipment_id FROM (
        SELECT t.* FROM own_search_texts t WHERE t.account_id = :accountId
        ORDER BY t.shipment_created_at DESC, t.shipment_id DESC
        LIMIT newest_searched(:containerNumber, :text)) AS newest
      WHERE strpos(names, :text) > 0 OR strpos(container_numbers, :containerNumber) > 0
        OR EXISTS (SELECT FROM unnest(:spellings::text[]) AS spelling WHERE strpos(names, spelling) > 0) ${first}),
    other AS MATERIALIZED (
      SELECT found.* FROM (
        SELECT :containerNumber, :text
        UNION ALL SELECT NULL, unnest(:spellings::text[])) AS parts (container_number, name)
      CROSS JOIN LATERAL find_by_pieces(:accountId, container_number, name, :limit::int) AS found
      WHERE (SELECT count(*) < :limit::int FROM recent)),
    found AS (
      SELECT shipment_created_at, shipment_id, min(rank) AS rank, bool_or(has_field) AS has_field FROM (
        SELECT *, 1 AS rank, false AS has_field FROM meant
        UNION ALL SELECT *, 2, false FROM referred
        UNION ALL SELECT made_at, found_id, CASE WHEN is_whole THEN 2 ELSE 3 END, true FROM with_field
        UNION ALL SELECT *, 3, false FROM recent
        UNION ALL SELECT *, 3, false FROM other) AS several
      GROUP BY shipment_created_at, shipment_id
      ORDER BY rank, shipment_created_at DESC, shipment_id DESC LIMIT :limit::int)
    SELECT shipment_id AS id, has_field AS "hasField", rank,
      (SELECT s.booking_number FROM own_shipments s
        WHERE s.account_id = :accountId AND s.id = found.shipment_id) AS "bookingNumber",
      (SELECT count(*) >= :limit::int FROM with_field WHERE NOT is_whole) AS "mayHaveMore"
    FROM found ORDER BY shipment_created_at DESC, shipment_id DESC`,
  },
  ["containerNumber", "text", "spellings", "texts", "beginnings", "exactKeys", "limit"],
);

interface MatchingShipment {
  readonly id: string;
  /** Whether a custom field of the shipment or of a container matches. */
  readonly hasField: boolean;
  /**
   * 1: the target of the query as a deep link; 2: a reference, a text of a custom field or the bare number equals it;
   * 3: others.
   */
  readonly rank: number;
  /** Booking number that the carrier reported; null: none. */
  readonly bookingNumber: string | null;
  /**
   * Whether so many fields begin with the text that others may not have been read; the same for all. A shipment whose
   * containers have such fields takes the place of several.
   */
  readonly mayHaveMore: boolean;
}

/**
 * The shipments that a search box shows for the query, newest first, at most `limit`. The target of the query as a deep
 * link is always among them. A number or reference of the shipment or a number of its containers contains the text, or
 * a container's reference or a text of a custom field equals it, also where they are written with other separators or
 * none, or such a field begins with it. More than `limit` shipments are cut off by age, except those of which a field
 * begins with the text: these are cut off by the field. A text of one or two characters is searched in the newest 1,000
 * shipments only.
 * @param bareNumber The number without the SCAC in front, in the form of `SearchQuery.number`: shipments that have
 *   exactly this number match too. Null: the text has no SCAC in front.
 */
export function findMatchingShipments(
  sql: AccountSql,
  accountId: string,
  { containerNumber, number, text }: SearchQuery,
  limit: number,
  bareNumber: string | null = null,
): Promise<MatchingShipment[]> {
  const spellings = new Set([...(number === "" ? [] : [number]), ...otherSpellings(text)]);
  spellings.delete(text);
  const texts = [text, ...spellings];
  const values = findMatching.values({
    accountId,
    containerNumber: containerNumber || null,
    text,
    spellings: [...spellings],
    texts,
    beginnings: text.length < beginningMin ? [] : texts,
    exactKeys: [
      ...texts.map((spelling) => `reference:${spelling}`),
      ...(bareNumber === null ? [] : [`number:${bareNumber}`]),
    ],
    limit,
  });
  return sql.rows<MatchingShipment>(findMatching, values);
}
