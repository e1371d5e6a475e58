-- The columns of delivery in the terms of docs/webhooks/engine.md.
ALTER TABLE webhook_claims RENAME COLUMN begun_at TO started_at;
ALTER TABLE webhook_deliveries RENAME COLUMN again TO resend_requested;
ALTER TABLE webhook_deliveries RENAME COLUMN attempts_before TO prior_attempts;
ALTER TABLE webhooks RENAME COLUMN rate_paid_until TO rate_limit_tat;
