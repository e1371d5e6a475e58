-- The existing rows become the first partition of their table (the last migration of this series). A CHECK with the end of
-- that partition, validated in migrations of its own, lets PostgreSQL attach it without a scan under a lock. The end is the
-- Monday after the next: until then the running services write into this partition, as before.
DO $$
DECLARE
  first_id_after uuid := (lpad(to_hex((extract(epoch FROM date_trunc('week', now(), 'UTC') + interval '2 weeks')
    * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;
BEGIN
  EXECUTE format(
    'ALTER TABLE notification_events ADD CONSTRAINT notification_events_before_check CHECK (id < %L) NOT VALID',
    first_id_after);
  EXECUTE format(
    'ALTER TABLE webhook_notifications ADD CONSTRAINT webhook_notifications_before_check CHECK (id < %L) NOT VALID',
    first_id_after);
END $$;
