import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** The containers of a shipment, as one row of a list shows them. */
export interface ContainerSummary {
  readonly count: number;
  /** The first by number. */
  readonly firstNumber: string;
  /** The first by number that contains the search text; null when none does or there is no search text. */
  readonly match: { readonly id: string; readonly number: string } | null;
  readonly availableForPickup: number;
  /** Containers with an active hold. */
  readonly held: number;
  readonly onRail: number;
  readonly pickedUp: number;
  readonly returned: number;
  /** The earliest last free day of the containers that are not picked up. */
  readonly lastFreeDay: Instant | null;
}

const isPickedUp = "COALESCE(pod_full_out_at, final_destination_full_out_at) IS NOT NULL";

const summarise: Statement = {
  name: "containers.summaries",
  text: `
    SELECT shipment_id AS "shipmentId", count(*)::int AS count, min(number) AS "firstNumber",
      (array_agg(id ORDER BY number) FILTER (WHERE strpos(number, $3::text) > 0))[1] AS "matchId",
      min(number) FILTER (WHERE strpos(number, $3::text) > 0) AS "matchNumber",
      (count(*) FILTER (WHERE available_for_pickup AND NOT ${isPickedUp}))::int AS "availableForPickup",
      (count(*) FILTER (WHERE holds_at_pod_terminal @> '[{"status": "hold"}]' AND NOT ${isPickedUp}))::int AS held,
      (count(*) FILTER (WHERE current_status = 'on_rail'))::int AS "onRail",
      (count(*) FILTER (WHERE ${isPickedUp}))::int AS "pickedUp",
      (count(*) FILTER (WHERE empty_terminated_at IS NOT NULL))::int AS returned,
      min(pickup_lfd) FILTER (WHERE NOT ${isPickedUp}) AS "lastFreeDay"
    FROM containers WHERE account_id = $1 AND shipment_id = ANY($2::uuid[]) GROUP BY shipment_id`,
};

interface SummaryRow extends Omit<ContainerSummary, "match"> {
  readonly shipmentId: string;
  readonly matchId: string | null;
  readonly matchNumber: string | null;
}

/**
 * Summaries by shipment; shipments without containers are omitted.
 * @param searched part of a container number, normalised; null matches none.
 */
export async function readContainerSummaries(
  sql: AccountSql,
  accountId: string,
  shipmentIds: readonly string[],
  searched: string | null = null,
): Promise<ReadonlyMap<string, ContainerSummary>> {
  const rows = await sql.rows<SummaryRow>(summarise, [accountId, shipmentIds, searched || null]);
  return new Map(
    rows.map(({ shipmentId, matchId: id, matchNumber: number, ...summary }) => [
      shipmentId,
      { ...summary, match: id !== null && number !== null ? { id, number } : null },
    ]),
  );
}
