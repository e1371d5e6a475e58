-- When a shipment arrives, for filtering and sorting; the same rule as shipmentArrival of packages/domain. Not known is later
-- than every time, so that each shipment has its place in the order.
CREATE FUNCTION shipment_arrival(destination_ata_at timestamptz, destination_eta_at timestamptz, pod_ata_at timestamptz, pod_eta_at timestamptz)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(destination_ata_at, destination_eta_at, pod_ata_at, pod_eta_at, timestamptz '9999-12-31 23:59:59.999+00');
CREATE INDEX shipments_arrival ON shipments
  (account_id, shipment_arrival(destination_ata_at, destination_eta_at, pod_ata_at, pod_eta_at), id);
