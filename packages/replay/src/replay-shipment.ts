import type { StoredReplyReader } from "@svc/carriers";
import { canonicalJson } from "@svc/domain";
import { type DerivedShipment, deriveShipment, planTrackingChanges, type StoredShipment } from "@svc/domain/derivation";
import type { Observation } from "@svc/domain/observations";
import type { Sql } from "@svc/persistence";
import type { CachedPlaceDirectory } from "@svc/persistence/reference-data";
import {
  type ArchivedBodyReader,
  derivedColumns,
  findEtaSamples,
  type ReplayShipment,
  readShipmentSubjects,
  storedColumns,
} from "@svc/persistence/replay";
import { accountSuppliedIds, findObservations, findStoredShipment } from "@svc/persistence/tracking";
import type { Difference } from "./difference.ts";
import { demurrageDifferences } from "./replay-demurrage.ts";
import { etaSampleDifferences, recomputeEtaSamples } from "./replay-eta-samples.ts";
import { replaySubject } from "./replay-subject.ts";

export interface ReplayContext {
  readonly read: StoredReplyReader;
  /** Reads archived bodies. Without it a shipment with such fails to be replayed. */
  readonly readArchived?: ArchivedBodyReader | null;
  readonly places: CachedPlaceDirectory;
}

export interface ReplayedShipment {
  readonly differences: readonly Difference[];
  readonly observations: number;
  /** Numbers whose replies can no longer be parsed. */
  readonly notReadAgain: readonly string[];
}

/** Recomputes a shipment from the stored replies and compares it with the stored state. Writes nothing. */
export async function replayShipment(
  sql: Sql,
  shipment: ReplayShipment,
  context: ReplayContext,
): Promise<ReplayedShipment> {
  const { accountId, id } = shipment;
  const subjects = await readShipmentSubjects(sql, shipment);
  const stored = await findObservations(sql, { accountId, id: subjects[0]?.id ?? id }, id);
  const bySubject = Map.groupBy(stored, ({ subjectId }) => subjectId);
  const observations: (readonly Observation[])[] = [];
  const differences: Difference[] = [];
  const notReadAgain: string[] = [];
  for (const subject of subjects) {
    const replayed = await replaySubject(sql, subject, bySubject.get(subject.id) ?? [], context);
    observations.push(replayed.observations);
    differences.push(...replayed.differences);
    if (!replayed.isReadAgain) notReadAgain.push(`${subject.scac} ${subject.number}`);
  }
  const derived = deriveShipment(observations.flat(), context.places);
  const state = await findStoredShipment(sql, accountId, id);
  differences.push(...stateDifferences(shipment, state, derived));
  differences.push(...(await columnDifferences(sql, shipment, state, derived, accountSuppliedIds(stored))));
  const samples = recomputeEtaSamples(shipment, observations, context.places);
  differences.push(...etaSampleDifferences(shipment.number, await findEtaSamples(sql, accountId, id), samples));
  differences.push(...(await demurrageDifferences(sql, shipment)));
  return { differences, observations: observations.flat().length, notReadAgain };
}

/** Compares the attributes with their history, and the timeline. */
function stateDifferences({ number }: ReplayShipment, stored: StoredShipment, derived: DerivedShipment): Difference[] {
  const { shipment, containers } = planTrackingChanges(stored, derived);
  const shipmentDifferences = shipment.map(({ field, before, after }) =>
    toDifference(number, `fact ${field}`, before, after?.value),
  );
  const containerDifferences = containers.flatMap((container): Difference[] => [
    ...container.fields.map(({ field, before, after }) =>
      toDifference(container.number, `fact ${field}`, before, after?.value),
    ),
    ...container.added.map((event) =>
      toDifference(container.number, `event ${event.milestoneKey}`, null, event.occurredAt),
    ),
    ...container.corrected.map(({ previousId, event }) =>
      toDifference(container.number, `event ${event.milestoneKey}`, previousId, event.occurredAt),
    ),
    ...container.withdrawn.map(({ id }) => toDifference(container.number, "event", id, null)),
  ]);
  return [...shipmentDifferences, ...containerDifferences];
}

/** Compares the rows that the API reads. */
async function columnDifferences(
  sql: Sql,
  { accountId, id, number }: ReplayShipment,
  state: StoredShipment,
  derived: DerivedShipment,
  accountSupplied: ReadonlySet<string>,
): Promise<Difference[]> {
  const stored = await storedColumns(sql, accountId, id);
  const recomputed = await derivedColumns(sql, derived, state.containers, accountSupplied);
  const differences = compareColumns(number, stored.shipment, recomputed.shipment);
  for (const [container, columns] of recomputed.containers) {
    differences.push(...compareColumns(container, stored.containers.get(container) ?? {}, columns));
  }
  return differences;
}

type Columns = Readonly<Record<string, unknown>>;

function compareColumns(subject: string, stored: Columns, recomputed: Columns): Difference[] {
  return Object.entries(recomputed).flatMap(([column, value]) => {
    const isSame = canonicalJson(stored[column] ?? null) === canonicalJson(value ?? null);
    return isSame ? [] : [toDifference(subject, column, stored[column], value)];
  });
}

function toDifference(subject: string, attribute: string, stored: unknown, recomputed: unknown): Difference {
  return { subject, attribute, stored: stored ?? null, recomputed: recomputed ?? null };
}
