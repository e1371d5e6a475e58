-- As before; and what was logged before the week had a part moves there. After weeks without a worker an attempt may be logged before
-- the part is made, and PostgreSQL makes none whose rows are elsewhere.
CREATE OR REPLACE FUNCTION create_webhook_attempts_part(monday date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  part text := format('webhook_attempts_parts.week_%s', to_char(monday, 'YYYY_MM_DD'));
  first timestamptz := monday::timestamp AT TIME ZONE 'UTC';
  beyond timestamptz := (monday + 7)::timestamp AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(part) IS NOT NULL THEN RETURN false; END IF;
  LOCK TABLE webhook_attempts_parts.others IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('CREATE TABLE %s (LIKE webhook_attempts INCLUDING ALL)', part);
  EXECUTE format('WITH moved AS (
                    DELETE FROM webhook_attempts_parts.others WHERE started_at >= %L AND started_at < %L RETURNING *)
                  INSERT INTO %s SELECT * FROM moved', first, beyond, part);
  EXECUTE format('ALTER TABLE webhook_attempts ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', part, first, beyond);
  RETURN true;
END $$;
