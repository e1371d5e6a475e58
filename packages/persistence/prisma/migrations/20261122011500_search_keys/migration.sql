-- What shipments and containers are found by exactly, one row for each, in the order in which the first is chosen. A GIN index
-- over the arrays had to collect all shipments that share a reference and to sort them before the first was known.
CREATE TABLE search_keys (
  account_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL,
  shipment_created_at timestamptz(3) NOT NULL,
  shipment_id uuid NOT NULL,
  -- Empty: the shipment itself is called so.
  container_number text COLLATE "C" NOT NULL DEFAULT '',
  container_id uuid,
  CONSTRAINT search_keys_pkey PRIMARY KEY (account_id, key, shipment_created_at, shipment_id, container_number)
);

INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id)
SELECT DISTINCT s.account_id, key, s.created_at, s.id FROM shipments s
CROSS JOIN unnest(shipment_keys(s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers)) AS key;
INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
SELECT DISTINCT c.account_id, key, s.created_at, s.id, c.number, c.id
FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
CROSS JOIN unnest(reference_keys(c.ref_numbers)) AS key;

-- Written with the row that it tells of, whoever writes that, so that what was just edited is found.
CREATE FUNCTION add_shipment_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id)
  SELECT DISTINCT s.account_id, key, s.created_at, s.id FROM added s CROSS JOIN unnest(
    shipment_keys(s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers)) AS key;
  RETURN NULL;
END $$;
CREATE FUNCTION add_container_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
  SELECT DISTINCT c.account_id, key, s.created_at, s.id, c.number, c.id
  FROM added c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
  CROSS JOIN unnest(reference_keys(c.ref_numbers)) AS key;
  RETURN NULL;
END $$;

CREATE FUNCTION change_shipment_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_keys k
  WHERE k.account_id = OLD.account_id AND k.shipment_created_at = OLD.created_at AND k.shipment_id = OLD.id
    AND k.container_number = '' AND k.key = ANY (
      shipment_keys(OLD.bill_of_lading_number, OLD.normalized_number, OLD.booking_number, OLD.ref_numbers));
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id)
    SELECT DISTINCT NEW.account_id, key, NEW.created_at, NEW.id FROM unnest(
      shipment_keys(NEW.bill_of_lading_number, NEW.normalized_number, NEW.booking_number, NEW.ref_numbers)) AS key;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION change_container_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The shipment may be gone, and with it the time that leads the key's order.
  DELETE FROM search_keys k
  WHERE k.account_id = OLD.account_id AND k.key = ANY (reference_keys(OLD.ref_numbers)) AND k.container_id = OLD.id;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
    SELECT DISTINCT NEW.account_id, key, s.created_at, s.id, NEW.number, NEW.id
    FROM shipments s CROSS JOIN unnest(reference_keys(NEW.ref_numbers)) AS key
    WHERE s.account_id = NEW.account_id AND s.id = NEW.shipment_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER search_keys_added AFTER INSERT ON shipments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_shipment_search_keys();
CREATE TRIGGER search_keys_changed AFTER UPDATE ON shipments FOR EACH ROW
  WHEN (OLD.ref_numbers IS DISTINCT FROM NEW.ref_numbers OR OLD.booking_number IS DISTINCT FROM NEW.booking_number
    OR OLD.bill_of_lading_number <> NEW.bill_of_lading_number OR OLD.normalized_number <> NEW.normalized_number)
  EXECUTE FUNCTION change_shipment_search_keys();
CREATE TRIGGER search_keys_removed AFTER DELETE ON shipments
  FOR EACH ROW EXECUTE FUNCTION change_shipment_search_keys();
CREATE TRIGGER search_keys_added AFTER INSERT ON containers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_container_search_keys();
CREATE TRIGGER search_keys_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN (OLD.ref_numbers IS DISTINCT FROM NEW.ref_numbers OR OLD.number <> NEW.number)
  EXECUTE FUNCTION change_container_search_keys();
CREATE TRIGGER search_keys_removed AFTER DELETE ON containers
  FOR EACH ROW EXECUTE FUNCTION change_container_search_keys();

ALTER TABLE search_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON search_keys TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_keys TO svc_tenant;

DROP INDEX shipments_keys;
DROP INDEX containers_reference_keys;
