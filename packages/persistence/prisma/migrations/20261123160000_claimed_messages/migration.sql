-- The end of a claim, apart from the due time of a message that failed and waits to be retried: while one message of an
-- account is claimed by any worker, its later ones are not, so that they are applied in the order of their receipt.
ALTER TABLE event_messages ADD COLUMN claimed_until timestamptz(3);
