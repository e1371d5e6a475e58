import type { AccountSql, Statement } from "../sql.ts";
import { isChange } from "./record-changes.ts";

/** The values of a definition; with an option, those that contain it. */
export interface ValuesOfDefinition {
  readonly definitionId: string;
  /** Null: all values. */
  readonly option: string | null;
}

const isAffected = "f.account_id = $1 AND f.definition_id = $2 AND ($3::text IS NULL OR f.value @> to_jsonb($3::text))";

/** Locks in the order of the ids, so that two deletions cannot deadlock. */
const markAll = (table: "shipments" | "containers", entityType: "Shipment" | "Container"): Statement => ({
  name: `custom-fields.change-${table}-with-values`,
  text: `
    WITH locked AS MATERIALIZED (
      SELECT r.id FROM custom_fields f JOIN ${table} r ON r.account_id = f.account_id AND r.id = f.entity_id
      WHERE ${isAffected} AND f.entity_type = '${entityType}' ORDER BY r.id FOR NO KEY UPDATE OF r)
    UPDATE ${table} r SET ${isChange} FROM locked WHERE r.account_id = $1 AND r.id = locked.id`,
});

const markShipments = markAll("shipments", "Shipment");
const markContainers = markAll("containers", "Container");

const unmarked: Statement = {
  name: "custom-fields.unchanged-records-with-values",
  text: `
    SELECT FROM custom_fields f
    LEFT JOIN shipments s ON f.entity_type = 'Shipment' AND s.account_id = f.account_id AND s.id = f.entity_id
    LEFT JOIN containers c ON f.entity_type = 'Container' AND c.account_id = f.account_id AND c.id = f.entity_id
    WHERE ${isAffected} AND COALESCE(s.change_transaction_id, c.change_transaction_id)
      <> pg_current_xact_id()::text::bigint LIMIT 1`,
};

/**
 * Counts the deletion of values as a change of their records, and locks these. Every write of a value locks its record
 * before the definition, so call it before the definition is locked.
 */
export async function markRecordsWithValues(
  sql: AccountSql,
  accountId: string,
  { definitionId, option }: ValuesOfDefinition,
): Promise<void> {
  const values = [accountId, definitionId, option] as const;
  await sql.execute(markShipments, values);
  await sql.execute(markContainers, values);
}

/**
 * Whether `markRecordsWithValues` has found all records. One may have got a value before the definition was locked:
 * then roll back to before these locks, and start again.
 */
export async function areRecordsMarked(
  sql: AccountSql,
  accountId: string,
  { definitionId, option }: ValuesOfDefinition,
): Promise<boolean> {
  return (await sql.execute(unmarked, [accountId, definitionId, option])) === 0;
}
