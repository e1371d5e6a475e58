-- The shipments with a text of a custom field, or of one of a container, that is one of the texts or begins with one of the
-- beginnings. Keys are read for one definition and text after the other, each only up to `wanted`: of a text the newest shipments,
-- of a beginning those with the last texts in alphabetical order. Materialized, because a policy allows an index only for plain
-- values.
CREATE FUNCTION find_by_custom_fields(account uuid, texts text[], beginnings text[], wanted integer)
RETURNS TABLE (made_at timestamptz(3), found_id uuid, is_whole boolean) LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  fields text[] := ARRAY(
    SELECT 'field:' || d.id || ':' FROM custom_field_definitions d
    WHERE d.account_id = account AND d.data_type = 'short_text' AND d.entity_type IN ('Shipment', 'Container'));
BEGIN
  IF fields = '{}' THEN RETURN; END IF;

  RETURN QUERY
    WITH whole AS MATERIALIZED (
      SELECT field || one AS key FROM unnest(fields) AS field CROSS JOIN unnest(texts) AS one)
    SELECT k.shipment_created_at, k.shipment_id, true FROM whole CROSS JOIN LATERAL (
      SELECT s.shipment_created_at, s.shipment_id FROM search_keys s WHERE s.account_id = account AND s.key = whole.key
      GROUP BY s.shipment_created_at, s.shipment_id
      ORDER BY s.shipment_created_at DESC, s.shipment_id DESC LIMIT wanted) AS k;

  RETURN QUERY
    WITH begun AS MATERIALIZED (
      SELECT field || one AS low, field || one || chr(1114111) AS high
      FROM unnest(fields) AS field CROSS JOIN unnest(beginnings) AS one)
    SELECT k.shipment_created_at, k.shipment_id, false FROM begun CROSS JOIN LATERAL (
      SELECT s.key, s.shipment_created_at, s.shipment_id FROM search_keys s
      WHERE s.account_id = account AND s.key > begun.low AND s.key < begun.high
      GROUP BY s.key, s.shipment_created_at, s.shipment_id
      ORDER BY s.key DESC, s.shipment_created_at DESC, s.shipment_id DESC LIMIT wanted) AS k;
END $$;
