-- What shipments are found by in part, one narrow row for each: the newest thousand of an account are read and compared in a
-- millisecond. Taken from the wide rows of shipments and, for each, from its containers, two hundred took several.
CREATE TABLE search_texts (
  account_id uuid NOT NULL,
  shipment_created_at timestamptz(3) NOT NULL,
  shipment_id uuid NOT NULL,
  -- Its numbers and references, one a line.
  names text COLLATE "C" NOT NULL,
  -- The numbers of its containers, one a line.
  container_numbers text COLLATE "C" NOT NULL DEFAULT '',
  CONSTRAINT search_texts_pkey PRIMARY KEY (account_id, shipment_created_at, shipment_id)
);

CREATE FUNCTION container_numbers_of(account uuid, shipment uuid) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT COALESCE(string_agg(c.number, E'\n' ORDER BY c.number), '') FROM containers c
  WHERE c.account_id = account AND c.shipment_id = shipment);

INSERT INTO search_texts (account_id, shipment_created_at, shipment_id, names, container_numbers)
SELECT s.account_id, s.created_at, s.id,
  shipment_search_text(s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers),
  container_numbers_of(s.account_id, s.id)
FROM shipments s;

-- Without a pending list, which every search would have to read.
CREATE INDEX search_texts_names ON search_texts USING gin (account_id, names gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX search_texts_containers ON search_texts USING gin (account_id, container_numbers gin_trgm_ops) WITH (fastupdate = off);

CREATE FUNCTION add_shipment_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_texts (account_id, shipment_created_at, shipment_id, names)
  SELECT s.account_id, s.created_at, s.id,
    shipment_search_text(s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers)
  FROM added s;
  RETURN NULL;
END $$;
CREATE FUNCTION change_shipment_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE search_texts SET names =
      shipment_search_text(NEW.bill_of_lading_number, NEW.normalized_number, NEW.booking_number, NEW.ref_numbers)
    WHERE account_id = NEW.account_id AND shipment_created_at = NEW.created_at AND shipment_id = NEW.id;
  ELSE
    DELETE FROM search_texts
    WHERE account_id = OLD.account_id AND shipment_created_at = OLD.created_at AND shipment_id = OLD.id;
  END IF;
  RETURN NULL;
END $$;

-- The row is locked before the containers are read, in a statement of its own: whoever waited for another's containers of the
-- same shipment sees them. Of a shipment that is removed with its containers nothing is left by now.
CREATE FUNCTION write_container_numbers(account uuid, shipment uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made_at timestamptz(3);
BEGIN
  SELECT s.created_at INTO made_at FROM shipments s WHERE s.account_id = account AND s.id = shipment;
  PERFORM FROM search_texts t
    WHERE t.account_id = account AND t.shipment_created_at = made_at AND t.shipment_id = shipment FOR NO KEY UPDATE;
  UPDATE search_texts t SET container_numbers = container_numbers_of(account, shipment)
    WHERE t.account_id = account AND t.shipment_created_at = made_at AND t.shipment_id = shipment;
END $$;
-- One shipment after the other, in one order: a plan for all at once would be kept from the first time, for one.
CREATE FUNCTION add_container_search_texts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  boxed record;
BEGIN
  FOR boxed IN SELECT DISTINCT account_id, shipment_id FROM added ORDER BY account_id, shipment_id LOOP
    PERFORM write_container_numbers(boxed.account_id, boxed.shipment_id);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION change_container_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_container_numbers(OLD.account_id, OLD.shipment_id);
  RETURN NULL;
END $$;

CREATE TRIGGER search_texts_added AFTER INSERT ON shipments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_shipment_search_text();
CREATE TRIGGER search_texts_changed AFTER UPDATE ON shipments FOR EACH ROW
  WHEN (OLD.ref_numbers IS DISTINCT FROM NEW.ref_numbers OR OLD.booking_number IS DISTINCT FROM NEW.booking_number
    OR OLD.bill_of_lading_number <> NEW.bill_of_lading_number OR OLD.normalized_number <> NEW.normalized_number)
  EXECUTE FUNCTION change_shipment_search_text();
CREATE TRIGGER search_texts_removed AFTER DELETE ON shipments
  FOR EACH ROW EXECUTE FUNCTION change_shipment_search_text();
CREATE TRIGGER search_texts_added AFTER INSERT ON containers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_container_search_texts();
CREATE TRIGGER search_texts_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN (OLD.number <> NEW.number) EXECUTE FUNCTION change_container_search_text();
CREATE TRIGGER search_texts_removed AFTER DELETE ON containers
  FOR EACH ROW EXECUTE FUNCTION change_container_search_text();

ALTER TABLE search_texts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON search_texts TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_texts TO svc_tenant;
-- As own_shipments: a policy keeps LIKE from the indexes.
CREATE VIEW own_search_texts AS SELECT * FROM search_texts WHERE account_id = current_setting('svc.account_id')::uuid;
GRANT SELECT ON own_search_texts TO svc_tenant;

DROP INDEX containers_number_trgm;
DROP INDEX shipments_search_text_trgm;
