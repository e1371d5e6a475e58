-- Keys of existing custom fields were added from a snapshot: a text that was changed or deleted meanwhile got its key afterwards.
-- Other keys are missing, because another container had the same number before. Both are found without a lock, and checked again
-- while no field can be written.
DO $$
DECLARE
  stale search_keys[] := ARRAY(
    SELECT k FROM search_keys k
    WHERE k.key >= 'field:' AND k.key < 'field;' AND NOT EXISTS (
      SELECT FROM custom_fields f
      WHERE f.account_id = k.account_id AND f.entity_id = COALESCE(k.container_id, k.shipment_id)
        AND custom_field_key(f.definition_id, f.value) = k.key));
  missing custom_fields[] := ARRAY(
    SELECT f FROM custom_fields f
    JOIN custom_field_definitions d ON d.account_id = f.account_id AND d.id = f.definition_id AND d.data_type = 'short_text'
    -- Texts of tracking requests have no keys.
    WHERE f.entity_type IN ('Shipment', 'Container') AND NOT EXISTS (
      SELECT FROM search_keys k
      WHERE k.account_id = f.account_id AND k.key = custom_field_key(f.definition_id, f.value)
        AND f.entity_id = COALESCE(k.container_id, k.shipment_id)));
BEGIN
  LOCK TABLE custom_fields IN SHARE ROW EXCLUSIVE MODE;

  DELETE FROM search_keys k USING unnest(stale) AS s
  WHERE k.account_id = s.account_id AND k.key = s.key AND k.shipment_created_at = s.shipment_created_at
    AND k.shipment_id = s.shipment_id AND k.container_number = s.container_number AND NOT EXISTS (
      SELECT FROM custom_fields f
      WHERE f.account_id = k.account_id AND f.entity_id = COALESCE(k.container_id, k.shipment_id)
        AND custom_field_key(f.definition_id, f.value) = k.key);

  INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
  SELECT f.account_id, custom_field_key(f.definition_id, f.value), r.made_at, r.shipment, r.number, r.container
  FROM unnest(missing) AS m JOIN custom_fields f ON f.account_id = m.account_id AND f.id = m.id
  CROSS JOIN LATERAL custom_field_record(f.account_id, f.entity_type, f.entity_id) AS r
  ON CONFLICT DO NOTHING;
END $$;
