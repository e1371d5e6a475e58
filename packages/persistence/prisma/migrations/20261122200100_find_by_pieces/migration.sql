-- As own_search_texts, for who looks by pieces. IS TRUE keeps the condition from the primary key, by which all texts of the
-- account would be read; in a SELECT the setting is read once and not for each row.
CREATE VIEW own_search_pieces AS
SELECT account_id, shipment_created_at, shipment_id, names, container_numbers,
  search_pieces(account_id, names, container_numbers) AS pieces
FROM search_texts WHERE (account_id = (SELECT current_setting('svc.account_id')::uuid)) IS TRUE;
GRANT SELECT ON own_search_pieces TO svc_tenant;

-- Among how many of its newest shipments an account's parts are looked for before all others. What many shipments have is found
-- there at once and in order; what these lack is rare enough to be collected and sorted. One or two characters are looked for
-- nowhere else.
CREATE FUNCTION newest_searched(number_asked text, text_asked text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length(number_asked) < 3 OR length(text_asked) < 3 THEN 1000 ELSE 250 END;

-- The newest shipments that have one part in their containers' numbers or the other in their names, `wanted` at most. A part that
-- is null or too short is in none.
--
-- This and what follows are functions because their steps are then planned once for a connection, for any account and text: there
-- is one way to go, and to look for it each time took longer than to go it.
CREATE FUNCTION find_by_pieces(account uuid, number_part text, name_part text, wanted integer)
RETURNS TABLE (made_at timestamptz(3), found_id uuid) LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  asked_numbers tsquery := search_pieces_of(account, 'c', number_part);
  asked_names tsquery := search_pieces_of(account, 'n', name_part);
  asked tsquery := COALESCE(asked_numbers || asked_names, asked_numbers, asked_names);
BEGIN
  RETURN QUERY
    SELECT t.shipment_created_at, t.shipment_id FROM own_search_pieces t
    WHERE t.pieces @@ asked AND (strpos(t.container_numbers, number_part) > 0 OR strpos(t.names, name_part) > 0)
    ORDER BY t.shipment_created_at DESC, t.shipment_id DESC LIMIT wanted;
END $$;

-- What may be meant by a query, of the first rule of the deep link that matches anything: three at most, the newest first, and of
-- the containers of a shipment that have the part the one with the smallest number. A rule is asked when those before it found nothing.
CREATE FUNCTION find_candidates(account uuid, number_asked text, text_asked text)
RETURNS TABLE (found_shipment uuid, found_container uuid) LANGUAGE plpgsql STABLE ROWS 3
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  newest integer := newest_searched(number_asked, text_asked);
  recent record;
  boxed uuid[] := '{}';
  named uuid[] := '{}';
BEGIN
  RETURN QUERY
    SELECT c.shipment_id, c.id FROM own_containers c CROSS JOIN LATERAL (
      SELECT s.created_at FROM own_shipments s WHERE s.account_id = account AND s.id = c.shipment_id LIMIT 1) AS shipment
    WHERE c.account_id = account AND c.number = number_asked
    ORDER BY shipment.created_at DESC, c.shipment_id DESC LIMIT 3;
  IF FOUND THEN RETURN; END IF;

  RETURN QUERY
    SELECT called.shipment_id, called.container_id
    FROM unnest(ARRAY['reference:' || text_asked, 'number:' || number_asked]) AS wanted CROSS JOIN LATERAL (
      SELECT k.* FROM search_keys k WHERE k.account_id = account AND k.key = wanted
      ORDER BY k.shipment_created_at DESC, k.shipment_id DESC, k.container_number LIMIT 3) AS called
    ORDER BY called.shipment_created_at DESC, called.shipment_id DESC, called.container_number LIMIT 3;
  IF FOUND THEN RETURN; END IF;

  -- Row by row: of what the newest have already, no more is read.
  FOR recent IN
    SELECT t.shipment_id, strpos(t.container_numbers, number_asked) > 0 AS is_boxed FROM (
      SELECT n.* FROM own_search_texts n WHERE n.account_id = account
      ORDER BY n.shipment_created_at DESC, n.shipment_id DESC LIMIT newest) AS t
    WHERE strpos(t.container_numbers, number_asked) > 0 OR strpos(t.names, text_asked) > 0
    ORDER BY t.shipment_created_at DESC, t.shipment_id DESC
  LOOP
    IF recent.is_boxed THEN
      boxed := boxed || recent.shipment_id;
      EXIT WHEN cardinality(boxed) = 3;
    ELSIF cardinality(named) < 3 THEN
      named := named || recent.shipment_id;
    END IF;
  END LOOP;
  IF boxed = '{}' THEN
    boxed := ARRAY(SELECT found_id FROM find_by_pieces(account, number_asked, NULL, 3));
  END IF;
  IF boxed = '{}' AND named = '{}' THEN
    named := ARRAY(SELECT found_id FROM find_by_pieces(account, NULL, text_asked, 3));
  END IF;

  RETURN QUERY
    SELECT id, (
      SELECT c.id FROM own_containers c
      WHERE c.account_id = account AND c.shipment_id = found.id AND strpos(c.number, number_asked) > 0 ORDER BY c.number LIMIT 1)
    FROM unnest(boxed) AS found (id);
  IF NOT FOUND THEN
    RETURN QUERY SELECT id, NULL::uuid FROM unnest(named) AS found (id);
  END IF;
END $$;

DROP FUNCTION find_parts(uuid, text, text, text, text, integer, integer);
DROP INDEX search_texts_names;
DROP INDEX search_texts_containers;
