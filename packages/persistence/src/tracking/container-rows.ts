import type { Instant } from "@svc/domain";
import { type Container, containerFields } from "@svc/domain/containers";
import { type DerivedName, derivedNames } from "@svc/domain/records";
import { type ContainerRow, containerRowNames } from "../containers/container-row.ts";
import { columnList, toJsonColumns } from "../records/column-names.ts";
import type { Sql, Statement } from "../sql.ts";
import { type Patch, withoutValues } from "./row-patch.ts";

/** The columns of a container that tracking writes. Users own all other columns. */
export const trackedContainerColumns = [
  ...derivedNames(containerFields),
  "pickupFacilityId",
  "podTerminalId",
  "finalDestinationTimezone",
  "deliveredAt",
  "emptyTerminatedTimezone",
  "notifiedPodEtaAt",
  "notifiedIndEtaAt",
] as const;

export type ContainerPatch = Patch<(typeof trackedContainerColumns)[number]>;

const tracked = columnList(trackedContainerColumns);

type NeverNull = {
  [Name in DerivedName<typeof containerFields>]: null extends Container[Name] ? never : Name;
}[DerivedName<typeof containerFields>];

/** Columns that have a value for unknown instead of null. The status is always derived. */
export const unknownColumns = {
  availabilityKnown: false,
  holdsAtPodTerminal: [],
  feesAtPodTerminal: [],
} as const satisfies Record<Exclude<NeverNull, "currentStatus">, unknown>;

export interface NewContainer {
  readonly id: string;
  readonly number: string;
  readonly refNumbers: readonly string[];
  readonly patch: ContainerPatch;
}

const insert: Statement = {
  name: "tracking.insert-containers",
  text: `
    INSERT INTO containers (account_id, id, shipment_id, number, ref_numbers, created_at, updated_at,
      ${tracked.join(", ")})
    SELECT $1, r.id, $2, r.number, r.ref_numbers, $3, $3, ${tracked.map((column) => `r.${column}`).join(", ")}
    FROM jsonb_populate_recordset(NULL::containers, $4::jsonb) r`,
};

/** The row of a new container, which no terminal was polled for yet. */
export function newContainerRow({ patch, ...container }: NewContainer, shipmentId: string, now: Instant): ContainerRow {
  const created = { rowVersion: 1, createdAt: now, updatedAt: now };
  const row = {
    ...withoutValues(containerRowNames),
    ...unknownColumns,
    ...container,
    shipmentId,
    ...created,
    ...patch,
  };
  // Every container has a status among its facts.
  return row as Partial<ContainerRow> as ContainerRow;
}

export async function insertContainers(
  sql: Sql,
  accountId: string,
  shipmentId: string,
  containers: readonly NewContainer[],
  now: Instant,
): Promise<void> {
  if (containers.length === 0) return;
  const rows = containers.map(({ patch, ...container }) =>
    toJsonColumns({ ...container, ...unknownColumns, ...patch }),
  );
  await sql.execute(insert, [accountId, shipmentId, now, JSON.stringify(rows)]);
}

export interface ChangedContainer {
  readonly id: string;
  readonly patch: ContainerPatch;
}

const update: Statement = {
  name: "tracking.update-containers",
  text: `
    UPDATE containers c SET ${tracked.map((column) => `${column} = r.${column}`).join(", ")},
      row_version = c.row_version + 1, updated_at = $2
    FROM jsonb_array_elements($3::jsonb) AS patch
    JOIN containers x ON x.account_id = $1 AND x.id = (patch ->> 'id')::uuid
    CROSS JOIN LATERAL jsonb_populate_record(x, patch) r
    WHERE c.account_id = x.account_id AND c.id = x.id AND x IS DISTINCT FROM r`,
};

/** Updates the changed columns of all containers in one statement. */
export async function updateContainers(
  sql: Sql,
  accountId: string,
  containers: readonly ChangedContainer[],
  now: Instant,
): Promise<void> {
  if (containers.length === 0) return;
  const rows = containers.map(({ id, patch }) => toJsonColumns({ id, ...patch }));
  await sql.execute(update, [accountId, now, JSON.stringify(rows)]);
}
