-- Tables whose rows are updated or deleted soon after they are written. By default a vacuum waits until a fifth of a table is
-- dead, and the scans for what is due read past all of it.
ALTER TABLE tracking_subjects SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE event_messages SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE idempotency_keys SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE alert_items SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE alert_messages SET (autovacuum_vacuum_scale_factor = 0.05);
