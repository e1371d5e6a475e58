import { type ShipmentStatus, shipmentStatuses } from "@svc/domain/shipments";
import type { Condition, ListSource } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";
import { statusExpression } from "./shipment-filters.ts";

/** Larger counts are not useful beside a filter, and counting rows costs as much as reading them. */
export const countedInStatusAtMost = 1_000;

/** `countedInStatusAtMost + 1` means more than the maximum. */
export type StatusCounts = Readonly<Record<ShipmentStatus, number>>;

/**
 * One statement, planned for the values of its filters like those of lists (list-rows.ts). The order makes PostgreSQL
 * use the index; with the limit alone it would read the table until it has enough rows.
 */
export async function countShipmentsByStatus(
  sql: AccountSql,
  { table, alias, scope }: ListSource,
  accountId: string,
  conditions: readonly Condition[],
): Promise<StatusCounts> {
  const values: [string, ...unknown[]] = [accountId];
  const filters = conditions.map((condition) => condition.sql(`$${values.push(condition.value)}`));
  const where = [scope, ...filters].join(" AND ");
  const count = (status: ShipmentStatus): string => `
    (SELECT count(*) FROM (SELECT 1 FROM ${table} ${alias}
      WHERE ${where} AND ${statusExpression} = '${status}'
      ORDER BY ${alias}.created_at DESC, ${alias}.id DESC LIMIT ${countedInStatusAtMost + 1}) AS capped) AS ${status}`;
  const statement = {
    name: conditions.length === 0 ? "shipments.count-by-status" : "",
    text: `SELECT ${shipmentStatuses.map(count).join(", ")}`,
  };
  const [row] = await sql.rows<Record<ShipmentStatus, number | string>>(statement, values);
  const counts = shipmentStatuses.map((status) => [status, Number(row?.[status] ?? 0)] as const);
  return Object.fromEntries(counts) as Record<ShipmentStatus, number>;
}
