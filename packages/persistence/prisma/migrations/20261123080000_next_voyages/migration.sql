-- A container number is tracked again for its next voyage: with a subject and a shipment of its own, so that those of the voyage
-- before stay as they were. Only one of each is current.
ALTER TABLE tracking_subjects ADD COLUMN retired_at timestamptz(3);
DROP INDEX tracking_subjects_account_id_scac_kind_number_key;
CREATE UNIQUE INDEX tracking_subjects_current_number_key ON tracking_subjects (account_id, scac, kind, number)
  WHERE retired_at IS NULL;

ALTER TABLE shipments ADD COLUMN superseded_at timestamptz(3);
CREATE OR REPLACE VIEW own_shipments AS
SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;
DROP INDEX shipments_account_id_shipping_line_scac_normalized_number_key;
CREATE UNIQUE INDEX shipments_current_number_key ON shipments (account_id, shipping_line_scac, normalized_number)
  WHERE superseded_at IS NULL;
