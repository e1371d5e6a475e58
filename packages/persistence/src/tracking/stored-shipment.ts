import type { Instant } from "@svc/domain";
import type {
  NotifiedEstimates,
  StoredContainer,
  StoredFacts,
  StoredMilestone,
  StoredShipment,
} from "@svc/domain/derivation";
import type { StopReason } from "@svc/domain/shipments";
import type { Sql, Statement } from "../sql.ts";

/** The columns of a subject's shipment that polling needs. */
export interface TrackedShipment {
  readonly id: string;
  readonly subjectId: string | null;
  readonly stoppedAt: Instant | null;
  readonly stoppedReason: StopReason | null;
  readonly resumedAt: Instant | null;
  readonly podTerminalId: string | null;
  readonly refNumbers: readonly string[];
  readonly tags: readonly string[];
  readonly createdAt: Instant;
}

export const trackedShipmentColumns = (s: string): string => `${s}.id, ${s}.subject_id AS "subjectId",
      ${s}.line_tracking_stopped_at AS "stoppedAt", ${s}.line_tracking_stopped_reason AS "stoppedReason",
      ${s}.line_tracking_resumed_at AS "resumedAt", ${s}.pod_terminal_id AS "podTerminalId",
      ${s}.ref_numbers AS "refNumbers", ${s}.tags, ${s}.created_at AS "createdAt"`;

const trackedShipment: Statement = {
  name: "tracking.tracked-shipment",
  text: `
    SELECT ${trackedShipmentColumns("shipments")}
    FROM shipments
    WHERE account_id = $1 AND (subject_id = $2
      OR (shipping_line_scac = $3 AND normalized_number = ANY($4) AND superseded_at IS NULL))
    ORDER BY subject_id = $2 DESC NULLS LAST LIMIT 1`,
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
  return (await sql.rows<TrackedShipment>(trackedShipment, values))[0] ?? null;
}

const instantText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const currentFacts = (subject: string): string => `
  COALESCE((SELECT jsonb_object_agg(f.field, f.value) FROM field_facts f
    WHERE f.account_id = $1 AND f.subject_id = ${subject} AND f.superseded_at IS NULL), '{}')`;

const notifiedEstimates = (columns: Readonly<Record<string, string>>): string =>
  `jsonb_strip_nulls(jsonb_build_object(${Object.entries(columns).map(([field, column]) => `'${field}', ${instantText(column)}`)}))`;

const storedState: Statement = {
  name: "tracking.stored-state",
  text: `
    SELECT NULL::uuid AS id, NULL AS number, ${currentFacts("$2")} AS facts,
      ${notifiedEstimates({ polEtdAt: "s.notified_pol_etd_at", podEtaAt: "s.notified_pod_eta_at" })}
        AS "notifiedEstimates",
      '[]'::jsonb AS milestones
    FROM shipments s WHERE s.account_id = $1 AND s.id = $2
    UNION ALL
    SELECT c.id, c.number, ${currentFacts("c.id")}, ${notifiedEstimates({ indEtaAt: "c.notified_ind_eta_at" })},
      COALESCE((SELECT jsonb_agg(jsonb_build_object('id', e.id, 'milestoneKey', e.milestone_key, 'event', e.event,
          'occurredAt', ${instantText("e.occurred_at")}, 'locode', e.location_locode,
          'vesselImo', v.imo, 'voyageNumber', e.voyage_number) ORDER BY e.id)
        FROM transport_events e LEFT JOIN vessels v ON v.id = e.vessel_id
        WHERE e.account_id = $1 AND e.container_id = c.id AND e.invalidated_at IS NULL), '[]')
    FROM containers c WHERE c.account_id = $1 AND c.shipment_id = $2`,
};

interface StateRow {
  readonly id: string | null;
  readonly number: string | null;
  readonly facts: StoredFacts;
  readonly notifiedEstimates: NotifiedEstimates;
  readonly milestones: readonly StoredMilestone[];
}

/** Current facts and milestones of a shipment and its containers, in one statement. */
export async function findStoredShipment(sql: Sql, accountId: string, shipmentId: string): Promise<StoredShipment> {
  const rows = await sql.rows<StateRow>(storedState, [accountId, shipmentId]);
  const containers = rows.flatMap(({ id, number, ...state }): StoredContainer[] =>
    id === null || number === null ? [] : [{ id, number, ...state }],
  );
  const shipment = rows.find(({ id }) => id === null);
  return { facts: shipment?.facts ?? {}, notifiedEstimates: shipment?.notifiedEstimates ?? {}, containers };
}
