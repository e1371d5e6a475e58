import type { Instant } from "@svc/domain";
import type { RouteSource } from "@svc/domain/container-route";
import type { Observation, ObservationDraft } from "@svc/domain/observations";
import type { AccountSql, Statement } from "../sql.ts";

/** A container and the data from which its route is derived. */
export interface ContainerRouteSource extends RouteSource {
  readonly containerId: string;
  readonly shipmentId: string;
  readonly createdAt: Instant;
  readonly equipmentType: string | null;
  /** Feet. */
  readonly equipmentLength: number | null;
}

interface SourceRow extends Omit<ContainerRouteSource, "observations"> {
  readonly observationId: string | null;
  readonly observedAt: Instant | null;
  readonly fact: ObservationDraft | null;
}

/**
 * Observations of the shipment's other containers and of its documents are not read.
 * @param condition of containers `c`.
 * @param until an SQL expression: only observations until then; null: all.
 */
const routeSourceSql = (condition: string, until: string): string => `
    WITH container AS (
      SELECT c.account_id, c.id, c.number, c.shipment_id, c.created_at, c.equipment_type, c.equipment_length,
        s.shipping_line_scac,
        ARRAY(SELECT s.subject_id UNION SELECT r.subject_id FROM tracking_requests r
          WHERE r.account_id = $1 AND r.shipment_id = c.shipment_id) AS subject_ids
      FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
      WHERE c.account_id = $1 AND ${condition})
    SELECT c.id AS "containerId", c.number AS "containerNumber", c.shipment_id AS "shipmentId",
      c.created_at AS "createdAt", c.equipment_type AS "equipmentType", c.equipment_length AS "equipmentLength",
      c.shipping_line_scac AS "carrierScac", first.observed_at AS "trackingBeganAt",
      o.id AS "observationId", o.observed_at AS "observedAt", o.fact
    FROM container c
    CROSS JOIN LATERAL (SELECT min(observed_at) AS observed_at FROM observations
      WHERE account_id = $1 AND subject_id = ANY(c.subject_ids)) first
    LEFT JOIN LATERAL (SELECT id, observed_at, fact FROM observations
      WHERE account_id = $1 AND subject_id = ANY(c.subject_ids) AND fact->>'eventType' <> 'SHIPMENT'
        AND (fact->>'containerNumber' IS NULL OR fact->>'containerNumber' = c.number)
        AND (${until} IS NULL OR observed_at <= ${until})) o ON true
    ORDER BY c.id, o.id`;

const readSource: Statement = {
  name: "container-route.source",
  text: routeSourceSql("c.id = $2", "$3::timestamptz"),
};

const readSources: Statement = {
  name: "container-route.sources",
  text: routeSourceSql("c.shipment_id = ANY($2::uuid[])", "NULL::timestamptz"),
};

/** Null when the account has no such container. */
export async function readRouteSource(
  sql: AccountSql,
  accountId: string,
  containerId: string,
  /** Time until which observations count. */
  asOf?: Instant,
): Promise<ContainerRouteSource | null> {
  return toSource(await sql.rows<SourceRow>(readSource, [accountId, containerId, asOf ?? null]));
}

/** Route sources of all containers of the shipments, in the order of container ids. */
export async function readRouteSources(
  sql: AccountSql,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<readonly ContainerRouteSource[]> {
  const rows = await sql.rows<SourceRow>(readSources, [accountId, shipmentIds]);
  return [...Map.groupBy(rows, ({ containerId }) => containerId).values()].flatMap((some) => toSource(some) ?? []);
}

/** @param rows of one container, one for each observation. */
function toSource(rows: readonly SourceRow[]): ContainerRouteSource | null {
  const [first] = rows;
  if (first === undefined) return null;
  const { observationId: _id, observedAt: _at, fact: _fact, ...source } = first;
  return { ...source, observations: rows.flatMap(toObservation) };
}

function toObservation({ observationId: id, observedAt, fact }: SourceRow): Observation[] {
  return id === null || observedAt === null || fact === null ? [] : [{ ...fact, id, observedAt }];
}
