-- The newest estimates of each lane that an arrival has closed; what was heard after the arrival foretold nothing.
-- DropIndex
DROP INDEX "eta_samples_lane_idx";

-- Below this line: what Prisma's schema language cannot say.
-- CASE, since PostgreSQL does not know that COALESCE tells nothing, and uses no index on it under a policy.
CREATE INDEX eta_samples_closed ON eta_samples (account_id, shipping_line_scac,
  (CASE WHEN port_of_lading_locode IS NULL THEN '' ELSE port_of_lading_locode END), port_of_discharge_locode, arrived_at DESC)
  WHERE arrived_at > heard_at;
