-- In the order in which shipments become due for the archive.
CREATE INDEX CONCURRENTLY shipments_by_stop ON shipments (line_tracking_stopped_at, account_id, id)
  WHERE line_tracking_stopped_at IS NOT NULL;
