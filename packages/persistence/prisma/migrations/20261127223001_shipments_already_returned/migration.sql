-- Shipments whose tracking stopped for that reason need no mark.
UPDATE shipments s SET containers_returned = true
WHERE s.line_tracking_stopped_reason IS DISTINCT FROM 'all_containers_terminated'
  AND EXISTS (SELECT FROM containers c WHERE c.account_id = s.account_id AND c.shipment_id = s.id)
  AND NOT EXISTS (
    SELECT FROM containers c WHERE c.account_id = s.account_id AND c.shipment_id = s.id AND c.empty_terminated_at IS NULL);
