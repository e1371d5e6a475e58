-- Locks failed notifications of partitions that ended longer ago than the retention, up to a number, and returns them. It did
-- so only for partitions without a pending delivery, and read all failed deliveries of the partition in each batch to find
-- out. Notifications of that age are deleted with or without their partition, so any of them can be taken.
CREATE OR REPLACE FUNCTION lock_failed_notifications(retention_days integer, batch integer)
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
  LIMIT batch FOR UPDATE OF n SKIP LOCKED;
END;
