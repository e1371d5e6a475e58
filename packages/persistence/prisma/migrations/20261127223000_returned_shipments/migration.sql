-- Whether all containers of the shipment were returned empty, for lists that filter and count by it. Tracking continues for days
-- after the last return.
ALTER TABLE shipments ADD COLUMN containers_returned BOOLEAN NOT NULL DEFAULT false;
CREATE OR REPLACE VIEW own_shipments AS SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;
