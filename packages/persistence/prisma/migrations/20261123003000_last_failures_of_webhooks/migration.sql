-- The last attempt that failed, which the list of webhooks shows: of those from now on.
ALTER TABLE webhooks
  ADD COLUMN last_failure_at timestamptz(3),
  ADD COLUMN last_failure_status integer,
  ADD COLUMN last_failure_class text;
