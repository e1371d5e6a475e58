-- The carriers of the accounts' requests are detected in turn: one account with thousands of requests delays no other.
DROP INDEX tracking_requests_undetected;
CREATE INDEX tracking_requests_undetected ON tracking_requests (account_id, created_at) WHERE scac IS NULL AND status = 'pending';
