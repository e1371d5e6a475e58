-- Requests whose shipping line the tracking worker has still to tell from the number. Few at any time, and asked for often.
CREATE INDEX tracking_requests_undetected ON tracking_requests (created_at) WHERE scac IS NULL AND status = 'pending';
