-- The condition of isReturned in packages/persistence/src/overviews/overview-tables.ts.
CREATE INDEX CONCURRENTLY shipments_returned ON shipments (account_id, created_at DESC, id DESC)
  WHERE containers_returned OR line_tracking_stopped_reason = 'all_containers_terminated';
