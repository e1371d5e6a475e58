-- Notifications and their events are partitioned by week, so that retention drops tables (docs/adr/0041). Ids begin with their
-- time of creation, so the partition key is the id: the primary keys stay as they are. Partitions are in a schema of their own:
-- only the owner reads one by itself.
CREATE SCHEMA notification_parts;

CREATE FUNCTION first_id_of(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

-- The partitions of the table except the default one; the first has no beginning.
CREATE FUNCTION notification_parts_of(parent regclass)
RETURNS TABLE (part regclass, begins_with uuid, ends_before uuid) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT c.oid::regclass,
    (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''([0-9a-f-]+)''\)'))[1]::uuid,
    (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([0-9a-f-]+)''\)'))[1]::uuid
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = parent AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT';
END;

-- Creates the partition of the week that begins on the Monday, unless one has its ids; returns whether it did. Rows of that
-- week in the default partition move to it.
CREATE FUNCTION create_notification_part(parent regclass, monday date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  first uuid := first_id_of(monday::timestamp AT TIME ZONE 'UTC');
  beyond uuid := first_id_of((monday + 7)::timestamp AT TIME ZONE 'UTC');
  part text := format('notification_parts.%s_week_%s', parent, to_char(monday, 'YYYY_MM_DD'));
  others text := format('notification_parts.%s_others', parent);
BEGIN
  IF EXISTS (SELECT FROM notification_parts_of(parent) WHERE ends_before > first AND COALESCE(begins_with < beyond, true)) THEN
    RETURN false;
  END IF;
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', others);
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL)', part, parent);
  EXECUTE format('WITH moved AS (DELETE FROM %s WHERE id >= %L AND id < %L RETURNING *) INSERT INTO %s SELECT * FROM moved',
    others, first, beyond, part);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, part, first, beyond);
  RETURN true;
END $$;

-- Drops the partitions of notifications that ended longer ago than the retention, with their failed deliveries, then the
-- partitions of events that no notification refers to any more; returns how many. A partition with a delivery that is pending
-- or claimed stays. EXCLUSIVE blocks a resend, which locks its notification, but no reader.
CREATE FUNCTION drop_notification_parts(retention_days integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  -- A day for clocks that differ: ids have the time of the process, not of the database.
  first_kept uuid := first_id_of(now() - (retention_days + 1) * interval '1 day');
  old record;
  oldest_notification uuid;
  dropped integer := 0;
BEGIN
  FOR old IN
    SELECT * FROM notification_parts_of('webhook_notifications') WHERE ends_before <= first_kept ORDER BY ends_before
  LOOP
    BEGIN
      EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', old.part);
      DELETE FROM webhook_deliveries WHERE delivery_status = 'failed' AND claim_id IS NULL
        AND notification_id < old.ends_before AND COALESCE(notification_id >= old.begins_with, true);
      IF EXISTS (
        SELECT FROM webhook_deliveries
        WHERE notification_id < old.ends_before AND COALESCE(notification_id >= old.begins_with, true)) THEN
        RAISE EXCEPTION USING ERRCODE = 'object_in_use';
      END IF;
      EXECUTE format('DROP TABLE %s', old.part);
      dropped := dropped + 1;
    -- Undoes the deletion of the failed deliveries.
    EXCEPTION WHEN object_in_use THEN NULL;
    END;
  END LOOP;

  SELECT COALESCE(begins_with, '00000000-0000-0000-0000-000000000000') INTO oldest_notification
  FROM notification_parts_of('webhook_notifications') ORDER BY ends_before LIMIT 1;
  FOR old IN
    SELECT * FROM notification_parts_of('notification_events')
    WHERE ends_before <= LEAST(first_kept, oldest_notification) ORDER BY ends_before
  LOOP
    EXECUTE format('DROP TABLE %s', old.part);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- The existing tables become the first partitions. Nothing is copied: their rows, indexes and statistics stay.
ALTER TABLE webhook_notifications DROP CONSTRAINT webhook_notifications_account_id_event_id_fkey;
DO $$
DECLARE
  parent text;
  existing text;
  definition record;
  beyond uuid;
BEGIN
  FOREACH parent IN ARRAY ARRAY['notification_events', 'webhook_notifications'] LOOP
    existing := parent || '_before';
    SELECT (regexp_match(pg_get_constraintdef(oid), '''([0-9a-f-]+)'''))[1]::uuid INTO beyond
    FROM pg_constraint WHERE conname = existing || '_check';
    EXECUTE format('ALTER TABLE %I SET SCHEMA notification_parts', parent);
    EXECUTE format('ALTER TABLE notification_parts.%I RENAME TO %I', parent, existing);
    EXECUTE format(
      'CREATE TABLE %I (LIKE notification_parts.%I INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE (id)', parent, existing);
    FOR definition IN
      SELECT indexrelid::regclass AS index, relname AS name, pg_get_indexdef(indexrelid) AS text, indisprimary
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = format('notification_parts.%I', existing)::regclass
    LOOP
      EXECUTE format('ALTER INDEX %s RENAME TO %I', definition.index, left(definition.name, 55) || '_before');
      IF definition.indisprimary THEN
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (account_id, id)', parent, definition.name);
      ELSE
        EXECUTE replace(definition.text, format('notification_parts.%I', existing), parent);
      END IF;
    END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION notification_parts.%I FOR VALUES FROM (MINVALUE) TO (%L)', parent, existing, beyond);
    EXECUTE format('ALTER TABLE notification_parts.%I DROP CONSTRAINT %I', existing, existing || '_check');
    EXECUTE format('CREATE TABLE notification_parts.%I PARTITION OF %I DEFAULT', parent || '_others', parent);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', parent);
    EXECUTE format(
      'CREATE POLICY own_account ON %I TO svc_tenant USING (account_id = NULLIF(current_setting(''svc.account_id'', true), '''')::uuid)',
      parent);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO svc_tenant', parent);
    EXECUTE format('DROP POLICY own_account ON notification_parts.%I', existing);
    EXECUTE format('ALTER TABLE notification_parts.%I DISABLE ROW LEVEL SECURITY', existing);
    EXECUTE format('REVOKE ALL ON notification_parts.%I FROM svc_tenant', existing);
    PERFORM create_notification_part(parent::regclass, week::date)
    FROM generate_series(date_trunc('week', now(), 'UTC') AT TIME ZONE 'UTC', now() AT TIME ZONE 'UTC' + interval '4 weeks',
                         interval '1 week') AS week;
  END LOOP;
END $$;

-- Ids below this one are deleted row by row: those of the first partition, whose rows become old long before its end, those
-- in the default partition, and those of partitions that ended and stay because of a pending delivery. It is the beginning of
-- the oldest partition that will be dropped.
CREATE FUNCTION notifications_deleted_by_row(retention_days integer) RETURNS uuid LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT begins_with FROM notification_parts_of('webhook_notifications')
  WHERE begins_with IS NOT NULL AND ends_before > first_id_of(now() - (retention_days + 1) * interval '1 day')
  ORDER BY ends_before LIMIT 1;
END;
