-- What the members of the account note about a shipment: at most 2,000 characters.
ALTER TABLE shipments ADD COLUMN note TEXT;
CREATE OR REPLACE VIEW own_shipments AS SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;

CREATE OR REPLACE TRIGGER record_audit_event AFTER UPDATE OR DELETE ON shipments FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('shipment', 'bill_of_lading_number', 'ref_numbers,tags,note,customer_id,line_tracking_stopped_reason,line_tracking_resumed_at', '');
