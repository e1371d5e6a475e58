-- Shipments and containers are found by the texts of their custom fields: search_keys holds one key for each, under its
-- definition, so that two fields with the same text have two keys. The former build reads only the keys of references and
-- numbers.
CREATE FUNCTION custom_field_key(definition uuid, value jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN 'field:' || definition || ':' || search_text(value #>> '{}');

-- The shipment of a record with custom fields, and the container if the record is one; no row for other records.
CREATE FUNCTION custom_field_record(account uuid, entity_kind text, entity uuid)
RETURNS TABLE (made_at timestamptz(3), shipment uuid, number text, container uuid) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT s.created_at, s.id, '', NULL::uuid FROM shipments s
  WHERE entity_kind = 'Shipment' AND s.account_id = account AND s.id = entity
  UNION ALL
  SELECT s.created_at, s.id, c.number, c.id
  FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
  WHERE entity_kind = 'Container' AND c.account_id = account AND c.id = entity;
END;

-- The type of a definition never changes. A deleted definition deletes its values, whose type is then unknown: values of other
-- types have no key to delete.
CREATE FUNCTION change_custom_field_search_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM search_keys k USING custom_field_record(OLD.account_id, OLD.entity_type, OLD.entity_id) AS r
    WHERE k.account_id = OLD.account_id AND k.key = custom_field_key(OLD.definition_id, OLD.value)
      AND k.shipment_created_at = r.made_at AND k.shipment_id = r.shipment AND k.container_id IS NOT DISTINCT FROM r.container;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
    SELECT NEW.account_id, custom_field_key(NEW.definition_id, NEW.value), r.made_at, r.shipment, r.number, r.container
    FROM custom_field_record(NEW.account_id, NEW.entity_type, NEW.entity_id) AS r
    JOIN custom_field_definitions d
      ON d.account_id = NEW.account_id AND d.id = NEW.definition_id AND d.data_type = 'short_text'
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER search_keys_added AFTER INSERT ON custom_fields FOR EACH ROW
  WHEN (jsonb_typeof(NEW.value) = 'string') EXECUTE FUNCTION change_custom_field_search_key();
CREATE TRIGGER search_keys_changed AFTER UPDATE ON custom_fields FOR EACH ROW
  WHEN (OLD.value IS DISTINCT FROM NEW.value AND jsonb_typeof(NEW.value) = 'string')
  EXECUTE FUNCTION change_custom_field_search_key();
CREATE TRIGGER search_keys_removed AFTER DELETE ON custom_fields FOR EACH ROW
  WHEN (jsonb_typeof(OLD.value) = 'string') EXECUTE FUNCTION change_custom_field_search_key();
