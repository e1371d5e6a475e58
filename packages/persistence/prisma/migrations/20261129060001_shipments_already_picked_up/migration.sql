UPDATE shipments s SET containers_picked_up = true
WHERE EXISTS (SELECT FROM containers c WHERE c.account_id = s.account_id AND c.shipment_id = s.id)
  AND NOT EXISTS (
    SELECT FROM containers c WHERE c.account_id = s.account_id AND c.shipment_id = s.id
      AND COALESCE(c.pod_full_out_at, c.final_destination_full_out_at) IS NULL);
