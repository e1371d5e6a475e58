import type { Instant } from "@svc/domain";
import type {
  ContainerChanges,
  DerivedShipment,
  FieldChange,
  StoredShipment,
  TrackingChanges,
} from "@svc/domain/derivation";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import { uuidV7 } from "../ids.ts";
import type { ResolvedPlaces } from "../reference-data/resolve-places.ts";
import type { Sql } from "../sql.ts";
import { type ContainerPatch, insertContainers, updateContainers } from "./container-rows.ts";
import { writeEtaSamples } from "./eta-samples.ts";
import { writeFacts } from "./fact-rows.ts";
import { insertShipment, type NewShipment, updateShipment } from "./shipment-rows.ts";
import { writeTimeline } from "./timeline-rows.ts";
import { containerPatch, notifiedPatch, resolvePlacesOf, sharedPatch, shipmentPatch } from "./tracking-patches.ts";

/** A derived shipment to be written. */
export interface TrackingWrite {
  readonly shipmentId: string;
  /** The content of a new shipment; null for an existing one. */
  readonly newShipment: NewShipment | null;
  /** The stored state; null for a new shipment. */
  readonly stored: StoredShipment | null;
  readonly derived: DerivedShipment;
  readonly changes: TrackingChanges;
  /** Ids of the observations that the account supplied by imports and pushes. */
  readonly accountSupplied: ReadonlySet<string>;
  /** References of new containers (docs/contract/specification.md, Create a tracking request). */
  readonly refNumbers: readonly string[];
  readonly now: Instant;
}

const sharedFields: ReadonlySet<string> = new Set([
  "podTerminal",
  "portOfDischarge",
  "destination",
  "destinationTerminal",
]);

async function writeContainers(
  sql: Sql,
  accountId: string,
  write: TrackingWrite,
  places: ResolvedPlaces,
  idOf: (changes: ContainerChanges) => string,
): Promise<void> {
  const { shipmentId, stored, changes, refNumbers, now } = write;
  const shared = sharedPatch(write, places);
  const sharedChanged = changes.shipment.some(({ field }) => sharedFields.has(field));
  const created = changes.containers.filter(({ containerId }) => containerId === null);
  const patches = new Map<string, ContainerPatch>(
    sharedChanged ? (stored?.containers ?? []).map(({ id }) => [id, shared]) : [],
  );
  for (const container of changes.containers) {
    if (container.containerId === null) continue;
    const known = patches.get(container.containerId) ?? {};
    patches.set(container.containerId, { ...known, ...containerPatch(container, write, places) });
  }
  for (const { containerId } of changes.notifiedEstimates) {
    if (containerId !== null)
      patches.set(containerId, { ...patches.get(containerId), ...notifiedPatch(changes, containerId) });
  }
  const newContainers = created.map((container) => ({
    id: idOf(container),
    number: container.number,
    refNumbers,
    patch: { ...shared, ...containerPatch(container, write, places) },
  }));
  const changed = [...patches].flatMap(([id, patch]) => (Object.keys(patch).length === 0 ? [] : [{ id, patch }]));
  await insertContainers(sql, accountId, shipmentId, newContainers, now);
  await updateContainers(sql, accountId, changed, now);
}

function changedFacts(
  shipmentId: string,
  fields: readonly FieldChange[],
  containers: TrackingChanges["containers"],
  idOf: (changes: ContainerChanges) => string,
) {
  return [
    { subjectType: "shipment" as const, subjectId: shipmentId, fields },
    ...containers.map((container) => ({
      subjectType: "container" as const,
      subjectId: idOf(container),
      fields: container.fields,
    })),
  ];
}

/** The written rows that notifications refer to. */
export interface WrittenTracking {
  /** Id of every changed container by its number. */
  readonly containerIds: ReadonlyMap<string, string>;
  /** The new milestones, by `timelineKey`. */
  readonly events: ReadonlyMap<string, ListedTransportEvent>;
  /** The vessel that calls at the port of discharge. */
  readonly podVesselId: string | null;
}

/** Key of a current row of the timeline within its shipment. */
export const timelineKey = (containerId: string, milestoneKey: string): string => `${containerId} ${milestoneKey}`;

/**
 * Writes a derived shipment, its containers, their timeline and the history of every attribute, with a constant number
 * of statements for any number of containers. Unchanged rows are not written.
 */
export async function writeTracking(sql: Sql, accountId: string, write: TrackingWrite): Promise<WrittenTracking> {
  const { shipmentId, newShipment, changes, now } = write;
  const isSame = [changes.shipment, changes.containers, changes.notifiedEstimates].every(({ length }) => length === 0);
  if (newShipment === null && isSame) return { containerIds: new Map(), events: new Map(), podVesselId: null };
  const places = await resolvePlacesOf(sql, write);
  const containerIds = new Map(
    changes.containers.map(({ number, containerId }) => [number, containerId ?? uuidV7.next()]),
  );
  const idOf = ({ number }: ContainerChanges): string => containerIds.get(number) ?? "";

  const patch = shipmentPatch(write, places);
  if (newShipment === null) await updateShipment(sql, accountId, shipmentId, patch, now);
  else await insertShipment(sql, accountId, shipmentId, newShipment, patch, now);
  await writeContainers(sql, accountId, write, places, idOf);
  const added = changes.containers.flatMap((container) => {
    const containerId = idOf(container);
    return [
      ...container.added.map((event) => ({ id: uuidV7.next(), containerId, event, previousVersionId: null })),
      ...container.corrected.map(({ event, previousId }) => ({
        id: uuidV7.next(),
        containerId,
        event,
        previousVersionId: previousId,
      })),
    ];
  });
  const invalidated = changes.containers.flatMap(({ withdrawn, corrected }) => [
    ...withdrawn,
    ...corrected.map(({ previousId }) => ({ id: previousId, reason: "corrected" as const })),
  ]);
  const events = await writeTimeline(sql, accountId, shipmentId, { invalidated, added }, { places, now });
  await writeFacts(sql, accountId, changedFacts(shipmentId, changes.shipment, changes.containers, idOf), now);
  await writeEtaSamples(sql, accountId, write);
  const { podVessel } = write.derived.attributes;
  return {
    containerIds,
    events: new Map(events.map((event) => [timelineKey(event.containerId, event.milestoneKey), event])),
    podVesselId: podVessel ? places.vesselId(podVessel.value) : null,
  };
}
