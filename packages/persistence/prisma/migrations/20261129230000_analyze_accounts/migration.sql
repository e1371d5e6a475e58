-- The frequencies that 20261129150000 no longer wants stay until the next ANALYZE, which a large table may not need for
-- weeks.
ANALYZE shipments (account_id);
ANALYZE containers (account_id);
ANALYZE transport_events (account_id);
ANALYZE tracking_requests (account_id);
ANALYZE exceptions (account_id);
ANALYZE container_demurrage (account_id);
