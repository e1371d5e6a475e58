import type { AccountSql, Statement } from "../sql.ts";

/** What a list tells of the containers of a shipment. */
export interface ContainerSummary {
  readonly count: number;
  /** The first in order of their numbers. */
  readonly firstNumber: string;
  readonly availableForPickup: number;
}

const summarise: Statement = {
  name: "containers.summaries",
  text: `
    SELECT shipment_id AS "shipmentId", count(*)::int AS count, min(number) AS "firstNumber",
      (count(*) FILTER (WHERE available_for_pickup))::int AS "availableForPickup"
    FROM containers WHERE account_id = $1 AND shipment_id = ANY($2::uuid[]) GROUP BY shipment_id`,
};

/** By shipment; those without containers are left out. */
export async function readContainerSummaries(
  sql: AccountSql,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<ReadonlyMap<string, ContainerSummary>> {
  const rows = await sql.rows<ContainerSummary & { shipmentId: string }>(summarise, [accountId, shipmentIds]);
  return new Map(rows.map(({ shipmentId, ...summary }) => [shipmentId, summary]));
}
