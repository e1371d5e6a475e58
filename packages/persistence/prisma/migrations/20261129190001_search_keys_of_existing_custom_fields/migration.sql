INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
SELECT f.account_id, custom_field_key(f.definition_id, f.value), r.made_at, r.shipment, r.number, r.container
FROM custom_fields f
JOIN custom_field_definitions d ON d.account_id = f.account_id AND d.id = f.definition_id AND d.data_type = 'short_text'
CROSS JOIN LATERAL custom_field_record(f.account_id, f.entity_type, f.entity_id) AS r
ON CONFLICT DO NOTHING;
