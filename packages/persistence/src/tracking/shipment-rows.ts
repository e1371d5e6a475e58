import { type Instant, omit } from "@svc/domain";
import { derivedNames } from "@svc/domain/records";
import { type StopReason, shipmentFields } from "@svc/domain/shipments";
import type { RequestType } from "@svc/domain/tracking-requests";
import { columnList, toJsonColumns } from "../records/column-names.ts";
import type { ShipmentRow } from "../shipments/shipment-row.ts";
import type { Sql, Statement } from "../sql.ts";
import { type Patch, withoutValues } from "./row-patch.ts";
import type { TrackedShipment } from "./stored-shipment.ts";

/** The columns of a shipment that tracking writes. Users own all other columns. */
export const trackedShipmentColumnNames = [
  "bookingNumber",
  "portOfLadingId",
  "portOfDischargeId",
  "destinationPortId",
  "destinationMetroAreaId",
  "podTerminalId",
  "destinationTerminalId",
  "podVesselId",
  ...derivedNames(shipmentFields),
  "notifiedPolEtdAt",
  "notifiedPodEtaAt",
] as const;

export type ShipmentPatch = Patch<(typeof trackedShipmentColumnNames)[number]>;

const tracked = columnList(trackedShipmentColumnNames);

/** A new shipment of a tracking request, before its first facts. */
export interface NewShipment {
  readonly subjectId: string;
  readonly billOfLadingNumber: string;
  readonly normalizedNumber: string;
  readonly numberKind: RequestType;
  readonly shippingLineScac: string;
  readonly refNumbers: readonly string[];
  readonly tags: readonly string[];
  readonly customerId: string | null;
}

/** The row of a new shipment before its first facts. */
function newRow(id: string, shipment: NewShipment, customerName: string | null, now: Instant): ShipmentRow {
  return {
    ...withoutValues(trackedShipmentColumnNames),
    ...omit(shipment, ["subjectId", "numberKind", "customerId"]),
    id,
    customerName,
    note: null,
    lineTrackingLastAttemptedAt: null,
    lineTrackingLastSucceededAt: null,
    lineTrackingStoppedAt: null,
    lineTrackingStoppedReason: null,
    lineTrackingStoppedByUserId: null,
    containerIds: [],
    rowVersion: 1,
    createdAt: now,
    updatedAt: now,
  };
}

const insert: Statement = {
  name: "tracking.insert-shipment",
  text: `
    WITH inserted AS (
      INSERT INTO shipments (account_id, id, subject_id, bill_of_lading_number, normalized_number, number_kind,
        shipping_line_scac, ref_numbers, tags, customer_id, created_at, updated_at, ${tracked.join(", ")})
      SELECT $1, r.id, r.subject_id, r.bill_of_lading_number, r.normalized_number, r.number_kind,
        r.shipping_line_scac, r.ref_numbers, r.tags, r.customer_id, $2, $2,
        ${tracked.map((column) => `r.${column}`).join(", ")}
      FROM jsonb_populate_record(NULL::shipments, $3::jsonb) r
      RETURNING account_id, customer_id)
    SELECT p.company_name AS "customerName" FROM inserted i
    LEFT JOIN parties p ON p.account_id = i.account_id AND p.id = i.customer_id`,
};

/** @returns the row of the new shipment, without the patch. */
export async function insertShipment(
  sql: Sql,
  accountId: string,
  id: string,
  shipment: NewShipment,
  patch: ShipmentPatch,
  now: Instant,
): Promise<ShipmentRow> {
  const values = [accountId, now, JSON.stringify(toJsonColumns({ id, ...shipment, ...patch }))] as const;
  const [inserted] = await sql.rows<{ customerName: string | null }>(insert, values);
  return newRow(id, shipment, inserted?.customerName ?? null, now);
}

const update: Statement = {
  name: "tracking.update-shipment",
  text: `
    UPDATE shipments s SET ${tracked.map((column) => `${column} = r.${column}`).join(", ")},
      row_version = s.row_version + 1, updated_at = $3
    FROM shipments x CROSS JOIN LATERAL jsonb_populate_record(x, $4::jsonb) r
    WHERE x.account_id = $1 AND x.id = $2 AND s.account_id = x.account_id AND s.id = x.id AND x IS DISTINCT FROM r`,
};

/** Updates the changed columns, if any. */
export async function updateShipment(
  sql: Sql,
  accountId: string,
  shipmentId: string,
  patch: ShipmentPatch,
  now: Instant,
): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  await sql.execute(update, [accountId, shipmentId, now, JSON.stringify(toJsonColumns(patch))]);
}

const ended: Statement = {
  name: "tracking.mark-ended",
  text: `
    UPDATE shipments s SET containers_picked_up = c.picked_up, containers_returned = c.returned
    FROM (SELECT COALESCE(bool_and(COALESCE(pod_full_out_at, final_destination_full_out_at) IS NOT NULL), false)
        AS picked_up, COALESCE(bool_and(empty_terminated_at IS NOT NULL), false) AS returned
      FROM containers WHERE account_id = $1 AND shipment_id = $2) c
    WHERE s.account_id = $1 AND s.id = $2
      AND (s.containers_picked_up, s.containers_returned) <> (c.picked_up, c.returned)`,
};

/** Records whether all containers of the shipment were picked up and returned, after a change of its containers. */
export async function markEnded(sql: Sql, accountId: string, shipmentId: string): Promise<void> {
  await sql.execute(ended, [accountId, shipmentId]);
}

const stop: Statement = {
  name: "tracking.stop-shipment",
  text: `
    UPDATE shipments SET line_tracking_stopped_at = $3, line_tracking_stopped_reason = $4,
      row_version = row_version + 1, updated_at = $3
    WHERE account_id = $1 AND id = $2 AND line_tracking_stopped_at IS NULL`,
};

/** Stops the polling of a shipment by the service. An existing stop keeps its reason. */
export async function stopShipment(
  sql: Sql,
  accountId: string,
  shipmentId: string,
  reason: StopReason,
  now: Instant,
): Promise<void> {
  await sql.execute(stop, [accountId, shipmentId, now, reason]);
}

/** The values of a request for an existing shipment of the account. */
export interface ShipmentAdoption {
  readonly subjectId: string;
  readonly refNumbers: readonly string[];
  readonly tags: readonly string[];
  /** Customer of a shipment that has none. */
  readonly customerId: string | null;
}

/** Appends the missing values of another list, up to the maximum for users (docs/contract/decisions.md 2, Sizes). */
const union = (column: string, added: string): string =>
  `(${column} || ARRAY(SELECT a FROM unnest(${added}::text[]) WITH ORDINALITY AS u(a, n)
     WHERE NOT a = ANY(${column}) ORDER BY n))[1:100]`;

const adopt: Statement = {
  name: "tracking.adopt-shipment",
  text: `
    UPDATE shipments SET subject_id = $4, customer_id = COALESCE(customer_id, $7),
      ref_numbers = ${union("ref_numbers", "$5")}, tags = ${union("tags", "$6")},
      line_tracking_stopped_at = NULL, line_tracking_stopped_reason = NULL, line_tracking_stopped_by_user_id = NULL,
      line_tracking_resumed_at = CASE WHEN line_tracking_stopped_at IS NULL THEN line_tracking_resumed_at ELSE $3 END,
      row_version = row_version + 1, updated_at = $3
    WHERE account_id = $1 AND id = $2
    RETURNING subject_id AS "subjectId", ref_numbers AS "refNumbers", tags,
      (SELECT p.company_name FROM parties p WHERE p.account_id = $1 AND p.id = customer_id) AS "customerName",
      line_tracking_stopped_at AS "lineTrackingStoppedAt",
      line_tracking_stopped_reason AS "lineTrackingStoppedReason",
      line_tracking_stopped_by_user_id AS "lineTrackingStoppedByUserId",
      line_tracking_resumed_at AS "lineTrackingResumedAt"`,
};
const adoptContainers: Statement = {
  name: "tracking.adopt-containers",
  text: `
    UPDATE containers SET ref_numbers = ${union("ref_numbers", "$4")}, row_version = row_version + 1, updated_at = $3
    WHERE account_id = $1 AND shipment_id = $2 AND NOT ref_numbers @> $4::text[]`,
};

/** The values that an adoption changes. */
type AdoptedShipment = Pick<
  TrackedShipment,
  | "subjectId"
  | "refNumbers"
  | "tags"
  | "customerName"
  | "lineTrackingStoppedAt"
  | "lineTrackingStoppedReason"
  | "lineTrackingStoppedByUserId"
  | "lineTrackingResumedAt"
>;

/**
 * Links the request to an existing shipment of the same number, which is polled again by this subject.
 * @returns the shipment as it is now.
 */
export async function adoptShipment(
  sql: Sql,
  accountId: string,
  shipment: TrackedShipment,
  { subjectId, refNumbers, tags, customerId }: ShipmentAdoption,
  now: Instant,
): Promise<TrackedShipment> {
  const values = [accountId, shipment.id, now, subjectId, refNumbers, tags, customerId];
  const [adopted] = await sql.rows<AdoptedShipment>(adopt, values);
  await sql.execute(adoptContainers, [accountId, shipment.id, now, refNumbers]);
  return { ...shipment, ...adopted };
}
