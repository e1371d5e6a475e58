-- The key of a custom field of a container is distinguished by the container's id: by its number it kept the former one when the
-- container was renamed, and a new container with that number and the same text got no key. Keys with a number stay valid.
CREATE OR REPLACE FUNCTION custom_field_record(account uuid, entity_kind text, entity uuid)
RETURNS TABLE (made_at timestamptz(3), shipment uuid, number text, container uuid) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT s.created_at, s.id, '', NULL::uuid FROM shipments s
  WHERE entity_kind = 'Shipment' AND s.account_id = account AND s.id = entity
  UNION ALL
  SELECT s.created_at, s.id, c.id::text, c.id
  FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
  WHERE entity_kind = 'Container' AND c.account_id = account AND c.id = entity;
END;
