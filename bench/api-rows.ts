import type { Database } from "@svc/persistence";

const shipmentCount = 1_000;

/** Shipments with every join that a record makes, three containers each, at three moments of their lives. */
export async function insertShipments(database: Database, accountId: string): Promise<string[]> {
  const insertShipmentRows = `
    INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
      ref_numbers, tags, port_of_lading_id, port_of_discharge_id, pol_etd_at, pol_atd_at, pod_eta_at,
      pod_original_eta_at, created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'SBXBEN' || lpad(n::text, 6, '0'), 'SBXBEN' || lpad(n::text, 6, '0'),
      'bill_of_lading', 'SBXL', ARRAY['PO-' || n], ARRAY['bench'],
      (SELECT id FROM ports WHERE locode = 'CNSHA'), (SELECT id FROM ports WHERE locode = 'NLRTM'),
      now() - interval '20 days', now() - interval '19 days', now() + interval '10 days', now() + interval '8 days',
      now() - n * interval '1 minute', now() - n * interval '1 minute'
    FROM generate_series(1, $2::int) AS n RETURNING id`;
  const insertContainerRows = `
    INSERT INTO containers (account_id, id, shipment_id, number, current_status, equipment_type, created_at, updated_at)
    SELECT s.account_id, gen_random_uuid(), s.id,
      'SBXU' || lpad((row_number() OVER ())::text, 7, '0'), 'on_ship', 'dry', s.created_at, s.updated_at
    FROM shipments s CROSS JOIN generate_series(1, 3) WHERE s.account_id = $1`;
  const { rows } = await database.pool.query<{ id: string }>(insertShipmentRows, [accountId, shipmentCount]);
  await database.pool.query(insertContainerRows, [accountId]);
  await database.pool.query("ANALYZE");
  return rows.map(({ id }) => id);
}
