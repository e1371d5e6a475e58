-- The newest changes of an account's exceptions, of which open pages are told: one entry for each exception.
CREATE INDEX CONCURRENTLY exceptions_account_id_updated_at_id_idx ON exceptions (account_id, updated_at DESC, id DESC);
