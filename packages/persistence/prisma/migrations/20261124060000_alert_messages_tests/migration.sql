-- The test messages of the last hour are counted before another one is sent.
CREATE INDEX CONCURRENTLY alert_messages_tests ON alert_messages (account_id, created_at) WHERE content->>'reason' = 'test';
