-- The conditions that a shipment has when its tracking begins are not notified (docs/exceptions.md).
ALTER TABLE "exception_checks" ADD COLUMN "is_new" BOOLEAN NOT NULL DEFAULT false;

-- Below this line: what Prisma's schema language cannot express.
CREATE FUNCTION check_added_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO exception_checks AS c (account_id, subject_id, subject_type, due_at, is_new)
  VALUES (NEW.account_id, NEW.id, 'shipment', '-infinity', true)
  ON CONFLICT (account_id, subject_id) DO UPDATE SET due_at = '-infinity', is_new = true;
  RETURN NULL;
END $$;
DROP TRIGGER exceptions_shipment_added ON shipments;
CREATE TRIGGER exceptions_shipment_added AFTER INSERT ON shipments FOR EACH ROW EXECUTE FUNCTION check_added_shipment();
