-- Signs without a shape (Unicode's category Cf) come along when a reference is copied from a mail or a chat: they are in none of the
-- texts that are compared, whoever typed them.
CREATE FUNCTION without_unseen(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(value, '[\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0001\U000E0020-\U000E007F]', '', 'g');

CREATE OR REPLACE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN upper(btrim(normalize(without_unseen(value), NFKC)) COLLATE pg_unicode_fast);

-- What was stored with such signs, as it is compared from now on.
UPDATE search_texts SET names = search_text(names) WHERE names <> without_unseen(names);
WITH gone AS (DELETE FROM search_keys WHERE key <> without_unseen(key) RETURNING *)
INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
SELECT account_id, left(key, strpos(key, ':')) || search_text(substr(key, strpos(key, ':') + 1)), shipment_created_at, shipment_id,
  container_number, container_id
FROM gone ON CONFLICT DO NOTHING;

-- What may be meant by a query, of the first rule of the deep link that matches anything: three at most, the newest first, and of
-- the containers of a shipment that have the part the one with the smallest number. A rule is asked when those before it found nothing.
-- The number comes as containers' numbers are compared; shipments' are without dots, slashes and underscores too.
CREATE OR REPLACE FUNCTION find_candidates(account uuid, number_asked text, text_asked text)
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
    FROM unnest(ARRAY['reference:' || text_asked, 'number:' || NULLIF(search_number(number_asked), '')]) AS wanted CROSS JOIN LATERAL (
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
