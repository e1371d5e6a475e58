import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";

/** An API token of the account with all permissions. */
export async function addApiToken(pool: pg.Pool, accountId: string): Promise<string> {
  const token = `svc_live_${randomBytes(16).toString("hex")}`;
  await pool.query(
    `INSERT INTO api_tokens (id, account_id, name, hint, token_sha256, scopes, created_at)
     VALUES (gen_random_uuid(), $1, 'Fixture', right($2, 4), $3, '{read,write}', now())`,
    [accountId, token, createHash("sha256").update(token).digest()],
  );
  return token;
}

/**
 * Shipments with the tracking request that created each. Stopping the tracking of one
 * (`PATCH /shipments/{id}/stop_tracking`) is an API write that notifies webhooks.
 * @returns the shipments' ids.
 */
export async function addTrackedShipments(pool: pg.Pool, accountId: string, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH fresh AS (
       INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
                              created_at, updated_at)
       SELECT $1, id, number, number, 'bill_of_lading', 'SBXL', now(), now()
         FROM (SELECT gen_random_uuid() AS id, 'SBX' || upper(substr(md5(random()::text || n), 1, 12)) AS number
                 FROM generate_series(1, $2::int) AS n) AS numbers
       RETURNING id, normalized_number),
     requests AS (
       INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
                                      shipment_id, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'bill_of_lading', normalized_number, normalized_number, 'SBXL', 'created', id,
              now(), now()
         FROM fresh)
     SELECT id FROM fresh`,
    [accountId, count],
  );
  return rows.map(({ id }) => id);
}
