-- Drops one partition in each call, the oldest that can be dropped: of notifications that ended longer ago than the retention,
-- with their failed deliveries, else of events that no notification refers to any more; returns how many, 0 or 1. PostgreSQL
-- locks the whole table until the commit when a partition is dropped, so a transaction with several would block the
-- notifications of all accounts while it deletes the deliveries of the next one.
CREATE OR REPLACE FUNCTION drop_notification_parts(retention_days integer) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  -- A day for clocks that differ: ids have the time of the process, not of the database.
  first_kept uuid := first_id_of(now() - (retention_days + 1) * interval '1 day');
  old record;
  account record;
  oldest_notification uuid;
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
      RETURN 1;
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
    RETURN 1;
  END LOOP;
  RETURN 0;
END $$;

-- Locks failed notifications of partitions that can be dropped, up to a number, and returns them. A resend locks its
-- notification, too. They are deleted in small transactions, so that dropping the partition deletes few rows under its lock.
CREATE FUNCTION lock_failed_notifications(retention_days integer, batch integer)
RETURNS TABLE (account_id uuid, id uuid) LANGUAGE sql VOLATILE
SET enable_seqscan = off
BEGIN ATOMIC
  SELECT n.account_id, n.id
  FROM notification_parts_of('webhook_notifications') part CROSS JOIN accounts a CROSS JOIN LATERAL (
    SELECT d.account_id, d.notification_id FROM webhook_deliveries d
    WHERE d.account_id = a.id AND d.delivery_status = 'failed' AND d.claim_id IS NULL
      AND d.notification_id >= COALESCE(part.begins_with, '00000000-0000-0000-0000-000000000000')
      AND d.notification_id < part.ends_before
    LIMIT batch) failed
  JOIN webhook_notifications n ON n.account_id = failed.account_id AND n.id = failed.notification_id
  WHERE part.ends_before <= first_id_of(now() - (retention_days + 1) * interval '1 day')
    AND NOT has_unsettled_deliveries(part.begins_with, part.ends_before)
  LIMIT batch FOR UPDATE OF n SKIP LOCKED;
END;
