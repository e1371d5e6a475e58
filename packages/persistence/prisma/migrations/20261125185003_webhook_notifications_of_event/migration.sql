-- In place of the unique index of the same columns: a unique index of a partitioned table must contain its partition key.
CREATE INDEX CONCURRENTLY webhook_notifications_of_event ON webhook_notifications (account_id, event_id);
