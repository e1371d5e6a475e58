-- Parts of numbers and references are looked up by pieces of five characters, each with a mark of its account, so that the list
-- of a piece is as long as this one account makes it, and two or three short ones tell what is meant. Trigrams were shared by
-- all accounts, and of digits there are only a thousand.

-- The pieces that begin at each character of each line; at its end they are shorter, so that every part of three or four
-- characters begins one. `n` marks those of names, `c` those of containers' numbers. The end of its id tells an account: that
-- of another may be the same, so what is found is compared.
CREATE FUNCTION search_pieces(account uuid, names text, container_numbers text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(ARRAY(
  SELECT right(account::text, 4) || kind || substr(line, start, 5)
  FROM (VALUES ('n', names), ('c', container_numbers)) AS texts (kind, lines)
  CROSS JOIN string_to_table(lines, E'\n') AS line
  CROSS JOIN generate_series(1, length(line) - 2) AS start));

-- Asks for as few pieces as cover the part: a line with the part has them all. Null for a part that is too short.
CREATE FUNCTION search_pieces_of(account uuid, kind text, part text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length(part) >= 3 THEN (
  SELECT string_agg(
    '''' || replace(replace(right(account::text, 4) || kind || substr(part, start, 5), '\', '\\'), '''', '''''') || ''''
      || CASE WHEN length(part) < 5 THEN ':*' ELSE '' END, ' & ')
  FROM (SELECT DISTINCT greatest(1, least(n, length(part) - 4)) AS start FROM generate_series(1, length(part), 5) AS n)
  )::tsquery END;

-- Writers of shipments and containers wait until it is built (docs/adr/0011 says how long that was). Without a pending list, which
-- every search would have to read, and without statistics, for which the pieces of 30,000 rows would be computed: nothing is
-- planned by them.
CREATE INDEX search_texts_pieces ON search_texts USING gin (search_pieces(account_id, names, container_numbers))
  WITH (fastupdate = off);
ALTER INDEX search_texts_pieces ALTER COLUMN 1 SET STATISTICS 0;
