-- Whether all containers of the shipment were taken out full, for lists that filter and count by it.
ALTER TABLE shipments ADD COLUMN containers_picked_up BOOLEAN NOT NULL DEFAULT false;
CREATE OR REPLACE VIEW own_shipments AS SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;
