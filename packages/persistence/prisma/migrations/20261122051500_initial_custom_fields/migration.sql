-- What a tracking request wants of the custom fields of its shipment and containers, until they are made: an array of
-- {entityType, definitionId, value, containerNumber}.
ALTER TABLE tracking_requests ADD COLUMN initial_custom_fields JSONB;
