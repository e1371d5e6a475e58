import type { Instant } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** Locks the definitions and their options against changes until the transaction ends, like every write of a value. */
const lockDefinitions: Statement = {
  name: "tracking.lock-initial-definitions",
  text: `
    SELECT d.id FROM custom_field_definitions d
    WHERE d.account_id = $1 AND d.id IN (
      SELECT (field->>'definitionId')::uuid
      FROM tracking_requests r CROSS JOIN LATERAL jsonb_array_elements(r.initial_custom_fields) AS field
      WHERE r.account_id = $1 AND r.id = ANY($2::uuid[]))
    ORDER BY d.id FOR SHARE`,
};

/**
 * An existing value stays. A value for a certain container takes precedence over one for all, and an older request over
 * a newer one.
 */
const insertFields: Statement = {
  name: "tracking.insert-initial-fields",
  text: `
    WITH entities AS (
      SELECT 'Shipment' AS type, $3::uuid AS id, NULL AS number
      UNION ALL
      SELECT 'Container', c.id, c.number FROM containers c WHERE c.account_id = $1 AND c.shipment_id = $3)
    INSERT INTO custom_fields (account_id, id, definition_id, entity_type, entity_id, value, created_at, updated_at)
    SELECT DISTINCT ON (e.id, d.id) $1::uuid, uuidv7(), d.id, e.type, e.id, f.value, $5, $5
    FROM tracking_requests r
      CROSS JOIN LATERAL jsonb_to_recordset(r.initial_custom_fields)
        AS f("entityType" text, "definitionId" uuid, value jsonb, "containerNumber" text)
      JOIN custom_field_definitions d ON d.account_id = $1 AND d.id = f."definitionId"
      JOIN entities e ON e.type = f."entityType" AND (f."containerNumber" IS NULL OR f."containerNumber" = e.number)
    WHERE r.account_id = $1 AND r.id = ANY($2::uuid[]) AND (r.status <> 'created' OR e.id = ANY($4::uuid[]))
      AND (d.data_type NOT IN ('enum', 'enum_multi') OR NOT EXISTS (
        SELECT FROM jsonb_array_elements_text(
          CASE jsonb_typeof(f.value) WHEN 'array' THEN f.value ELSE jsonb_build_array(f.value) END) AS chosen(option)
        WHERE NOT EXISTS (
          SELECT FROM custom_field_options o
          WHERE o.account_id = $1 AND o.definition_id = d.id AND o.value = chosen.option)))
    ORDER BY e.id, d.id, f."containerNumber" NULLS LAST, r.created_at, r.id
    ON CONFLICT (account_id, definition_id, entity_id) DO NOTHING`,
};

/**
 * Writes the requests' initial custom fields of their shipment and its containers. For waiting requests these are all;
 * for requests that are already created only new containers remain. Definitions and options deleted since the request
 * are skipped.
 */
export async function writeInitialCustomFields(
  sql: Sql,
  accountId: string,
  shipment: {
    readonly requestIds: readonly string[];
    readonly shipmentId: string;
    readonly newContainerIds: readonly string[];
  },
  now: Instant,
): Promise<void> {
  const { requestIds, shipmentId, newContainerIds } = shipment;
  if ((await sql.rows(lockDefinitions, [accountId, requestIds])).length === 0) return;
  await sql.execute(insertFields, [accountId, requestIds, shipmentId, newContainerIds, now]);
}
