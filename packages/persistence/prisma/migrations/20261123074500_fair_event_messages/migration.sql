-- Rows of an import whose number was not tracked when it was applied, counted from 1.
ALTER TABLE "event_messages" ADD COLUMN "unapplied_rows" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[];
ALTER TABLE "event_messages" ADD COLUMN "inactive_count" INTEGER NOT NULL DEFAULT 0;

-- Waiting messages are claimed by account in turn, the oldest of each account first.
DROP INDEX event_messages_due;
CREATE INDEX event_messages_due_by_account ON event_messages (account_id, due_at) WHERE due_at IS NOT NULL;

-- Requests that wait for their shipment, for the repair of those that nothing polls.
CREATE INDEX tracking_requests_waiting ON tracking_requests (subject_id) WHERE status IN ('pending', 'awaiting_manifest');
