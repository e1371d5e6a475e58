-- Whether a delivery of the ids is neither delivered nor failed. The primary key begins with the account, so the accounts are
-- searched one by one: a range of ids alone reads the whole table. So would a scan that expects one of the rows soon.
CREATE FUNCTION has_unsettled_deliveries(begins_with uuid, ends_before uuid) RETURNS boolean LANGUAGE sql STABLE
SET enable_seqscan = off
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM accounts a CROSS JOIN LATERAL (
      SELECT FROM webhook_deliveries d
      WHERE d.account_id = a.id
        AND d.notification_id >= COALESCE(begins_with, '00000000-0000-0000-0000-000000000000')
        AND d.notification_id < ends_before
        AND NOT (d.delivery_status = 'failed' AND d.claim_id IS NULL)
      LIMIT 1) AS unsettled);
END;

-- Drops the partitions of notifications that ended longer ago than the retention, with their failed deliveries, then the
-- partitions of events that no notification refers to any more; returns how many. A partition with a delivery that is pending
-- or claimed stays: this is checked before anything is locked or deleted, and once more under the lock. EXCLUSIVE blocks a
-- resend, which locks its notification, but no reader.
CREATE OR REPLACE FUNCTION drop_notification_parts(retention_days integer) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  -- A day for clocks that differ: ids have the time of the process, not of the database.
  first_kept uuid := first_id_of(now() - (retention_days + 1) * interval '1 day');
  old record;
  account record;
  oldest_notification uuid;
  dropped integer := 0;
BEGIN
  FOR old IN
    SELECT * FROM notification_parts_of('webhook_notifications') WHERE ends_before <= first_kept ORDER BY ends_before
  LOOP
    CONTINUE WHEN has_unsettled_deliveries(old.begins_with, old.ends_before);
    BEGIN
      EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', old.part);
      IF has_unsettled_deliveries(old.begins_with, old.ends_before) THEN
        RAISE EXCEPTION USING ERRCODE = 'object_in_use';
      END IF;
      FOR account IN SELECT id FROM accounts LOOP
        DELETE FROM webhook_deliveries
        WHERE account_id = account.id AND delivery_status = 'failed' AND claim_id IS NULL
          AND notification_id >= COALESCE(old.begins_with, '00000000-0000-0000-0000-000000000000')
          AND notification_id < old.ends_before;
      END LOOP;
      EXECUTE format('DROP TABLE %s', old.part);
      dropped := dropped + 1;
    -- Releases the lock.
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
