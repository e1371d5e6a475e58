-- Shipments that have a part in the numbers of their containers, else in their own numbers and references: the newest first,
-- `wanted` at most. Looked for among the `newest` shipments of the account, and only when it is not there in all of them by
-- trigrams: what many shipments have is found at once and in order, and what the newest lack is rare enough to be
-- collected and sorted. Patterns for LIKE; those for trigrams are null for a part that has none.
--
-- A function, because each step is then planned only when it is reached, and for its own text and account: an average
-- account tells nothing of the largest. One table is planned in no time; all steps in one statement took milliseconds.
CREATE FUNCTION find_parts(
  account uuid, number_part text, name_part text, number_trigrams text, name_trigrams text, newest integer, wanted integer)
RETURNS TABLE (found_id uuid, by_container boolean) LANGUAGE plpgsql STABLE ROWS 3 SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY
    SELECT t.shipment_id, true FROM (
      SELECT n.* FROM own_search_texts n WHERE n.account_id = account
      ORDER BY n.shipment_created_at DESC, n.shipment_id DESC LIMIT newest) AS t
    WHERE t.container_numbers LIKE number_part ORDER BY t.shipment_created_at DESC, t.shipment_id DESC LIMIT wanted;
  IF FOUND THEN RETURN; END IF;
  IF number_trigrams IS NOT NULL THEN
    RETURN QUERY
      WITH matching AS MATERIALIZED (
        SELECT t.shipment_created_at, t.shipment_id FROM own_search_texts t
        WHERE t.account_id = account AND t.container_numbers LIKE number_trigrams)
      SELECT m.shipment_id, true FROM matching m ORDER BY m.shipment_created_at DESC, m.shipment_id DESC LIMIT wanted;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY
    SELECT t.shipment_id, false FROM (
      SELECT n.* FROM own_search_texts n WHERE n.account_id = account
      ORDER BY n.shipment_created_at DESC, n.shipment_id DESC LIMIT newest) AS t
    WHERE t.names LIKE name_part ORDER BY t.shipment_created_at DESC, t.shipment_id DESC LIMIT wanted;
  IF FOUND THEN RETURN; END IF;
  IF name_trigrams IS NOT NULL THEN
    RETURN QUERY
      WITH matching AS MATERIALIZED (
        SELECT t.shipment_created_at, t.shipment_id FROM own_search_texts t
        WHERE t.account_id = account AND t.names LIKE name_trigrams)
      SELECT m.shipment_id, false FROM matching m ORDER BY m.shipment_created_at DESC, m.shipment_id DESC LIMIT wanted;
  END IF;
END $$;
