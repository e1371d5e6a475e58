-- Deliveries of paused and disabled webhooks leave the indexes that every claim reads (docs/adr/0021).
ALTER TABLE webhook_deliveries
  ADD COLUMN held boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT webhook_deliveries_held_check CHECK (NOT held OR next_attempt_at IS NOT NULL);
ALTER TABLE webhooks ADD COLUMN has_held boolean NOT NULL DEFAULT false;

DROP INDEX webhook_deliveries_lane;
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (account_id, webhook_id, recovered, next_attempt_at)
  WITH (deduplicate_items = off) WHERE next_attempt_at IS NOT NULL AND NOT held;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at)
  WITH (deduplicate_items = off) WHERE next_attempt_at IS NOT NULL AND NOT held;
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (account_id, webhook_id, next_attempt_at) WHERE held;
CREATE INDEX webhooks_with_held ON webhooks (account_id, id) WHERE has_held;
CREATE INDEX webhooks_to_resume ON webhooks (account_id, id)
  WHERE has_held AND (deleted_at IS NOT NULL OR (active AND NOT paused));
