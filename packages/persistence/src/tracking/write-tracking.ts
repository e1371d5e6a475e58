import { compareText, type Instant } from "@svc/domain";
import type { ContainerChanges, DerivedShipment, FieldChange, TrackingChanges } from "@svc/domain/derivation";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import type { ContainerRow } from "../containers/container-row.ts";
import { uuidV7 } from "../ids.ts";
import type { ResolvedPlaces } from "../reference-data/resolve-places.ts";
import type { ShipmentRow } from "../shipments/shipment-row.ts";
import type { Sql } from "../sql.ts";
import {
  type ContainerPatch,
  insertContainers,
  type NewContainer,
  newContainerRow,
  updateContainers,
} from "./container-rows.ts";
import { writeEtaSamples } from "./eta-samples.ts";
import { writeFacts } from "./fact-rows.ts";
import { insertShipment, markEnded, type NewShipment, type ShipmentPatch, updateShipment } from "./shipment-rows.ts";
import type { TrackedState } from "./stored-shipment.ts";
import { writeTimeline } from "./timeline-rows.ts";
import {
  containerPatch,
  notifiedPatch,
  placeDetails,
  resolveDerivedPlaces,
  separateVessel,
  sharedPatch,
  shipmentPatch,
} from "./tracking-patches.ts";

interface DerivedTracking {
  readonly shipmentId: string;
  readonly derived: DerivedShipment;
  readonly changes: TrackingChanges;
  /** Ids of the observations that the account supplied by imports and pushes. */
  readonly accountSupplied: ReadonlySet<string>;
  /** References of new containers (docs/contract/specification.md, Create a tracking request). */
  readonly refNumbers: readonly string[];
  readonly now: Instant;
}

/** What a derived shipment is written to: a new one, or the stored one with its state. */
type TrackingTarget =
  | { readonly kind: "create"; readonly newShipment: NewShipment }
  | { readonly kind: "update"; readonly shipment: ShipmentRow; readonly stored: TrackedState };

/** A derived shipment to be written. */
export type TrackingWrite = DerivedTracking & TrackingTarget;

const storedContainers = (write: TrackingTarget): TrackedState["containers"] =>
  write.kind === "update" ? write.stored.containers : [];

const sharedFields: ReadonlySet<string> = new Set([
  "podTerminal",
  "portOfDischarge",
  "destination",
  "destinationTerminal",
]);

/** The patches of stored containers by their ids. */
function containerPatches(
  write: TrackingWrite,
  shared: ContainerPatch,
  places: ResolvedPlaces,
): ReadonlyMap<string, ContainerPatch> {
  const { changes } = write;
  const isSharedChanged = changes.shipment.some(({ field }) => sharedFields.has(field));
  const patches = new Map<string, ContainerPatch>(
    isSharedChanged ? storedContainers(write).map(({ id }) => [id, shared]) : [],
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
  return patches;
}

/** The rows of all containers after the write, by their numbers. */
function containerRows(
  write: TrackingWrite,
  patches: ReadonlyMap<string, ContainerPatch>,
  newContainers: readonly NewContainer[],
  places: ResolvedPlaces,
): readonly ContainerRow[] {
  const { shipmentId, changes, now } = write;
  const isPortChanged = changes.shipment.some(({ field }) => field === "portOfDischarge");
  const { podTimezone, pickupFacilityKind } = placeDetails(write, places);
  const rowOf = (row: ContainerRow, patch: ContainerPatch = {}): ContainerRow => ({
    ...row,
    ...(patch as Partial<ContainerRow>),
    ...("pickupFacilityId" in patch ? { pickupFacilityKind } : {}),
    ...(isPortChanged || row.podTimezone === null ? { podTimezone } : {}),
  });
  return [
    ...storedContainers(write).map(({ id, row }) => rowOf(row, patches.get(id))),
    ...newContainers.map((container) => rowOf(newContainerRow(container, shipmentId, now), container.patch)),
  ].toSorted((a, b) => compareText(a.number, b.number));
}

async function writeContainers(
  sql: Sql,
  accountId: string,
  write: TrackingWrite,
  places: ResolvedPlaces,
  idOf: (changes: ContainerChanges) => string,
): Promise<readonly ContainerRow[]> {
  const { shipmentId, changes, refNumbers, now } = write;
  const shared = sharedPatch(write, places);
  const patches = containerPatches(write, shared, places);
  const changed = [...patches].flatMap(([id, patch]) => (Object.keys(patch).length === 0 ? [] : [{ id, patch }]));
  const newContainers = changes.containers
    .filter(({ containerId }) => containerId === null)
    .map((container) => ({
      id: idOf(container),
      number: container.number,
      refNumbers,
      patch: { ...shared, ...containerPatch(container, write, places) },
    }));
  await insertContainers(sql, accountId, shipmentId, newContainers, now);
  await updateContainers(sql, accountId, changed, now);
  return containerRows(write, patches, newContainers, places);
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

/** A container after the write. */
export interface WrittenContainer {
  readonly row: ContainerRow;
  /** Listed transport events, the newest first, up to twice the number that its record links to. */
  readonly eventIds: readonly string[];
}

/** The shipment after the write, composed of the stored rows and the changes, and not read again. */
export interface WrittenTracking {
  readonly shipment: ShipmentRow;
  /** Every container of the shipment by its number, in the order of the numbers. */
  readonly containers: ReadonlyMap<string, WrittenContainer>;
  /** The new milestones, by `timelineKey`. */
  readonly events: ReadonlyMap<string, ListedTransportEvent>;
  /** The vessel that calls at the port of discharge. */
  readonly podVesselId: string | null;
  /** Vessels of containers that arrive separately, by container number. */
  readonly separateVesselIds: ReadonlyMap<string, string | null>;
}

/** Key of a current row of the timeline within its shipment. */
export const timelineKey = (containerId: string, milestoneKey: string): string => `${containerId} ${milestoneKey}`;

/**
 * Writes a derived shipment, its containers, their timeline and the history of every attribute, with a constant number
 * of statements for any number of containers. Unchanged rows are not written.
 */
export async function writeTracking(sql: Sql, accountId: string, write: TrackingWrite): Promise<WrittenTracking> {
  const { shipmentId, changes, now } = write;
  const isSame = [changes.shipment, changes.containers, changes.notifiedEstimates].every(({ length }) => length === 0);
  if (write.kind === "update" && isSame) return unchanged(write);
  const places = await resolveDerivedPlaces(sql, write);
  const containerIds = new Map(
    changes.containers.map(({ number, containerId }) => [number, containerId ?? uuidV7.next()]),
  );
  const idOf = ({ number }: ContainerChanges): string => containerIds.get(number) ?? "";

  const patch = shipmentPatch(write, places);
  const shipment = await writeRow(sql, accountId, write, patch);
  const containers = await writeContainers(sql, accountId, write, places, idOf);
  if (changes.containers.some(affectsEnd)) await markEnded(sql, accountId, shipmentId);
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
    shipment: { ...shipment, ...(patch as Partial<ShipmentRow>), containerIds: containers.map(({ id }) => id) },
    containers: new Map(containers.map((row) => [row.number, { row, eventIds: eventIdsOf(row.id, write, events) }])),
    events: new Map(events.map((event) => [timelineKey(event.containerId, event.milestoneKey), event])),
    podVesselId: podVessel ? places.vesselId(podVessel.value) : null,
    separateVesselIds: new Map(
      write.derived.containers.flatMap((container) => {
        const vessel = separateVessel(container);
        return vessel === null ? [] : [[container.number, places.vesselId(vessel)] as const];
      }),
    ),
  };
}

const endFields: ReadonlySet<string> = new Set(["podFullOutAt", "finalDestinationFullOutAt", "emptyTerminatedAt"]);

/** Whether all containers may have been picked up or returned since the last change, or no longer. */
const affectsEnd = ({ containerId, fields }: ContainerChanges): boolean =>
  containerId === null || fields.some(({ field }) => endFields.has(field));

/** @returns the row without the patch. */
async function writeRow(sql: Sql, accountId: string, write: TrackingWrite, patch: ShipmentPatch): Promise<ShipmentRow> {
  const { shipmentId, now } = write;
  if (write.kind === "create") return insertShipment(sql, accountId, shipmentId, write.newShipment, patch, now);
  await updateShipment(sql, accountId, shipmentId, patch, now);
  return write.shipment;
}

const unchanged = ({ shipment, stored }: TrackingWrite & { readonly kind: "update" }): WrittenTracking => ({
  shipment,
  containers: new Map(stored.containers.map(({ number, row, eventIds }) => [number, { row, eventIds }])),
  events: new Map(),
  podVesselId: shipment.podVesselId,
  separateVesselIds: new Map(),
});

/** New events, of which the last id is the newest, before the stored ones that are still valid. */
function eventIdsOf(
  containerId: string,
  write: TrackingWrite,
  events: readonly ListedTransportEvent[],
): readonly string[] {
  const { eventIds = [] } = storedContainers(write).find(({ id }) => id === containerId) ?? {};
  const change = write.changes.containers.find((one) => one.containerId === containerId);
  const invalidated = new Set([
    ...(change?.withdrawn ?? []).map(({ id }) => id),
    ...(change?.corrected ?? []).map(({ previousId }) => previousId),
  ]);
  const added = events.filter((event) => event.containerId === containerId).map(({ id }) => id);
  return [...added.toSorted().toReversed(), ...eventIds.filter((id) => !invalidated.has(id))];
}
