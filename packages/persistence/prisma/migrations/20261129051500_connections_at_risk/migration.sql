-- A connection at a transshipment port changes with reports that change no attribute of the shipment (docs/exceptions.md).
CREATE FUNCTION check_shipments_under_way() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_exceptions_of(s.account_id, s.id, 'shipment') FROM shipments s
  WHERE s.account_id = NEW.account_id AND s.subject_id = NEW.id AND s.line_tracking_stopped_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER exceptions_subject_changed AFTER UPDATE ON tracking_subjects FOR EACH ROW
  WHEN (OLD.last_changed_at IS DISTINCT FROM NEW.last_changed_at)
  EXECUTE FUNCTION check_shipments_under_way();
