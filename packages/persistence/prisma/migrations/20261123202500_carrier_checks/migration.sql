-- Reachability checks of a carrier that is away, and the subjects that are polled again when it returns.
ALTER TABLE carrier_access ADD COLUMN away_since timestamptz(3), ADD COLUMN next_check_at timestamptz(3),
  ADD COLUMN failed_checks integer NOT NULL DEFAULT 0;
CREATE INDEX carrier_access_next_check ON carrier_access (next_check_at) WHERE next_check_at IS NOT NULL;

ALTER TABLE tracking_subjects ADD COLUMN retry_at timestamptz(3);
CREATE INDEX tracking_subjects_failing ON tracking_subjects (COALESCE(connection_id::text, scac))
  WHERE consecutive_failures > 0;
