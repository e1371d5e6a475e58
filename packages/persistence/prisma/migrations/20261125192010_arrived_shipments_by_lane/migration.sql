-- Transit times are computed from the newest arrivals of each lane: one entry for each shipment that has departed and arrived.
CREATE INDEX CONCURRENTLY shipments_arrived_by_lane ON shipments
  (account_id, shipping_line_scac, port_of_lading_id, port_of_discharge_id, pod_ata_at DESC)
  INCLUDE (id, pol_atd_at)
  WHERE pol_atd_at IS NOT NULL AND pod_ata_at IS NOT NULL AND port_of_lading_id IS NOT NULL AND port_of_discharge_id IS NOT NULL;
