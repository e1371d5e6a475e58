import type { Instant } from "@svc/domain";
import type {
  NotifiedEstimates,
  StoredContainer,
  StoredFacts,
  StoredMilestone,
  StoredShipment,
} from "@svc/domain/derivation";
import { linkedMax, newestEventIds } from "../containers/container-links.ts";
import { type ContainerRow, containerColumns, containerReferences } from "../containers/container-row.ts";
import { type ShipmentRow, shipmentColumns, shipmentJoins } from "../shipments/shipment-row.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";

/** The account's shipment of a subject: its row as clients read it, and what polling needs besides. */
export interface TrackedShipment extends ShipmentRow {
  readonly subjectId: string | null;
  readonly lineTrackingResumedAt: Instant | null;
}

/** Columns over `shipments s` joined by `shipmentJoins`. */
export const trackedShipmentColumns = `${shipmentColumns}, s.subject_id AS "subjectId",
  s.line_tracking_resumed_at AS "lineTrackingResumedAt"`;

const trackedShipment: Statement = {
  name: "tracking.tracked-shipment",
  text: `
    SELECT ${trackedShipmentColumns}
    FROM shipments s ${shipmentJoins}
    WHERE s.account_id = $1 AND (s.subject_id = $2
      OR (s.shipping_line_scac = $3 AND s.normalized_number = ANY($4) AND s.superseded_at IS NULL))
    ORDER BY s.subject_id = $2 DESC NULLS LAST LIMIT 1`,
};

/**
 * The shipment that the subject polls, or that one of the numbers already belongs to in this account. Stopping and
 * resuming tracking take the lock of the subject (`lockSubject`), so it does not change during the transaction.
 */
export async function findTrackedShipment(
  sql: Sql,
  accountId: string,
  by: { readonly subjectId: string; readonly scac: string; readonly normalizedNumbers: readonly string[] },
): Promise<TrackedShipment | null> {
  const values = [accountId, by.subjectId, by.scac, by.normalizedNumbers];
  return firstRow(sql.rows<TrackedShipment>(trackedShipment, values));
}

const instantText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const currentFacts = (subject: string): string => `
  COALESCE((SELECT jsonb_object_agg(f.field, f.value) FROM field_facts f
    WHERE f.account_id = $1 AND f.subject_id = ${subject} AND f.superseded_at IS NULL), '{}')`;

const notifiedEstimates = (columns: Readonly<Record<string, string>>): string =>
  `jsonb_strip_nulls(jsonb_build_object(${Object.entries(columns).map(([field, column]) => `'${field}', ${instantText(column)}`)}))`;

/** More than the links of a container, because a change may invalidate some of the newest. */
const readEventIds = 2 * linkedMax;

/** The facts of the shipment are in its first row only. */
const storedState: Statement = {
  name: "tracking.stored-state",
  text: `
    SELECT CASE WHEN row_number() OVER (ORDER BY c.number) = 1 THEN ${currentFacts("s.id")} END AS "shipmentFacts",
      ${notifiedEstimates({ polEtdAt: "s.notified_pol_etd_at", podEtaAt: "s.notified_pod_eta_at" })}
        AS "shipmentEstimates",
      ${currentFacts("c.id")} AS facts,
      ${notifiedEstimates({ podEtaAt: "c.notified_pod_eta_at", indEtaAt: "c.notified_ind_eta_at" })}
        AS "notifiedEstimates",
      COALESCE((SELECT jsonb_agg(jsonb_build_object('id', e.id, 'milestoneKey', e.milestone_key, 'event', e.event,
          'occurredAt', ${instantText("e.occurred_at")}, 'locode', e.location_locode,
          'vesselImo', v.imo, 'voyageNumber', e.voyage_number) ORDER BY e.id)
        FROM transport_events e LEFT JOIN vessels v ON v.id = e.vessel_id
        WHERE e.account_id = $1 AND e.container_id = c.id AND e.invalidated_at IS NULL), '[]') AS milestones,
      ${newestEventIds("e.invalidated_at IS NULL", readEventIds)} AS "eventIds",
      ${containerColumns}
    FROM shipments s LEFT JOIN containers c ON c.account_id = s.account_id AND c.shipment_id = s.id
    ${containerReferences}
    WHERE s.account_id = $1 AND s.id = $2 ORDER BY c.number`,
};

type OuterJoined<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/** The columns of a container are null when the shipment has none. */
interface StateRow extends OuterJoined<ContainerRow> {
  readonly shipmentFacts: StoredFacts | null;
  readonly shipmentEstimates: NotifiedEstimates;
  readonly facts: StoredFacts;
  readonly notifiedEstimates: NotifiedEstimates;
  readonly milestones: readonly StoredMilestone[];
  readonly eventIds: readonly string[];
}

const hasContainer = (row: StateRow): row is StateRow & ContainerRow => row.id !== null;

/** A stored container with its row, and its newest transport events: more than records link to. */
export interface TrackedContainer extends StoredContainer {
  readonly row: ContainerRow;
  readonly eventIds: readonly string[];
}

export interface TrackedState extends StoredShipment {
  readonly containers: readonly TrackedContainer[];
}

/** Current facts and milestones of a shipment and its containers, in one statement. */
export async function findStoredShipment(sql: Sql, accountId: string, shipmentId: string): Promise<TrackedState> {
  const rows = await sql.rows<StateRow>(storedState, [accountId, shipmentId]);
  const containers = rows
    .filter(hasContainer)
    .map(({ shipmentFacts: _, shipmentEstimates: __, facts, notifiedEstimates, milestones, eventIds, ...row }) => ({
      id: row.id,
      number: row.number,
      facts,
      notifiedEstimates,
      milestones,
      eventIds,
      row,
    }));
  const [first] = rows;
  return { facts: first?.shipmentFacts ?? {}, notifiedEstimates: first?.shipmentEstimates ?? {}, containers };
}
