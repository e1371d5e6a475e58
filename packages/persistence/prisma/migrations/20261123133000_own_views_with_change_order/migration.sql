-- A view has the columns that its table had when the view was created.
CREATE OR REPLACE VIEW own_shipments AS
SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;
CREATE OR REPLACE VIEW own_containers AS
SELECT * FROM containers WHERE account_id = current_setting('svc.account_id')::uuid;
