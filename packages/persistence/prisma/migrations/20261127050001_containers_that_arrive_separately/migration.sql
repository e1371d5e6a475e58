-- The few containers that have an ETA of their own, for calendar feeds.
CREATE INDEX CONCURRENTLY containers_arriving_separately_idx ON containers (account_id, shipment_id)
  WHERE pod_eta_at IS NOT NULL;
