-- What a container has of its own if the containers of its shipment arrive separately; null otherwise.
ALTER TABLE containers
  ADD COLUMN pod_eta_at TIMESTAMPTZ(3),
  ADD COLUMN pod_original_eta_at TIMESTAMPTZ(3),
  ADD COLUMN pod_vessel_name TEXT,
  ADD COLUMN pod_vessel_imo TEXT,
  ADD COLUMN pod_voyage_number TEXT;

-- A view has the columns that its table had when it was made.
CREATE OR REPLACE VIEW own_containers AS SELECT * FROM containers WHERE account_id = current_setting('svc.account_id')::uuid;
