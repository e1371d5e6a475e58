import type {
  ContainerChanges,
  DerivedPlace,
  DerivedShipment,
  FieldChange,
  Instant,
  ObservedPlace,
  ObservedVessel,
  StoredShipment,
  TrackingChanges,
} from "@svc/domain";
import { uuidV7 } from "../ids.ts";
import { type PlaceMention, type ResolvedPlaces, resolvePlaces } from "../reference-data/resolve-places.ts";
import type { Sql } from "../sql.ts";
import { type ContainerPatch, insertContainers, updateContainers } from "./container-rows.ts";
import { writeFacts } from "./fact-rows.ts";
import { insertShipment, type NewShipment, type ShipmentPatch, updateShipment } from "./shipment-rows.ts";
import { writeTimeline } from "./timeline-rows.ts";

/** The outcome of the fold, to be written over what is stored. */
export interface TrackingWrite {
  readonly shipmentId: string;
  /** What the shipment is made of when it is new, else null. */
  readonly newShipment: NewShipment | null;
  /** What is stored of it; null when it is new. */
  readonly stored: StoredShipment | null;
  readonly derived: DerivedShipment;
  readonly changes: TrackingChanges;
  /** References that new containers get (interface-specification.md, Create a tracking request). */
  readonly refNumbers: readonly string[];
  readonly now: Instant;
}

type Attributes = DerivedShipment["attributes"];

const asPort = (place: DerivedPlace): PlaceMention => ({ place, kind: "port" });
const asPlace = (place: DerivedPlace): PlaceMention => ({ place, kind: place.kind });

/** A facility is known by its code within the place that it belongs to. */
function facilityOf(facility: ObservedPlace, place: DerivedPlace | undefined): PlaceMention {
  return { place: { ...facility, locode: place?.locode ?? facility.locode }, kind: place?.kind ?? "port" };
}

const podTerminal = ({ podTerminal: facility, portOfDischarge }: Attributes): PlaceMention | null =>
  facility ? facilityOf(facility.value, portOfDischarge && { ...portOfDischarge.value, kind: "port" }) : null;
const destinationTerminal = ({ destinationTerminal: facility, destination }: Attributes): PlaceMention | null =>
  facility ? facilityOf(facility.value, destination?.value) : null;

const isThere = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function resolveAll(sql: Sql, { derived, changes }: TrackingWrite): Promise<ResolvedPlaces> {
  const { attributes } = derived;
  const events = changes.containers.flatMap(({ added, corrected }) => [
    ...added,
    ...corrected.map(({ event }) => event),
  ]);
  const mentions: PlaceMention[] = [
    attributes.portOfLading && asPort(attributes.portOfLading.value),
    attributes.portOfDischarge && asPort(attributes.portOfDischarge.value),
    attributes.destination && asPlace(attributes.destination.value),
    podTerminal(attributes),
    destinationTerminal(attributes),
    ...events.map(({ place, placeKind }) => ({ place, kind: placeKind })),
  ].filter(isThere);
  const vessels: ObservedVessel[] = [attributes.podVessel?.value, ...events.map(({ vessel }) => vessel)].filter(
    isThere,
  );
  return resolvePlaces(sql, mentions, vessels);
}

type ColumnsOf = (attributes: Attributes, places: ResolvedPlaces) => ShipmentPatch;

/** Attributes that name a row; every other attribute is a column of the same name. */
const referenceColumns: Readonly<Record<string, ColumnsOf>> = {
  portOfLading: ({ portOfLading }, places) => ({
    portOfLadingId: (portOfLading && places.place(asPort(portOfLading.value))?.id) ?? null,
  }),
  portOfDischarge: ({ portOfDischarge }, places) => ({
    portOfDischargeId: (portOfDischarge && places.place(asPort(portOfDischarge.value))?.id) ?? null,
  }),
  destination({ destination }, places) {
    const place = destination ? places.place(asPlace(destination.value)) : null;
    return {
      destinationPortId: place?.kind === "port" ? place.id : null,
      destinationMetroAreaId: place?.kind === "metro_area" ? place.id : null,
    };
  },
  podTerminal: (attributes, places) => ({ podTerminalId: terminalId(podTerminal(attributes), places) }),
  destinationTerminal: (attributes, places) => ({
    destinationTerminalId: terminalId(destinationTerminal(attributes), places),
  }),
  podVessel: ({ podVessel }, places) => ({ podVesselId: (podVessel && places.vesselId(podVessel.value)) ?? null }),
};

const terminalId = (mention: PlaceMention | null, places: ResolvedPlaces): string | null =>
  (mention && places.terminal(mention)?.id) ?? null;

function shipmentPatch({ changes, derived }: TrackingWrite, places: ResolvedPlaces): ShipmentPatch {
  const columns = changes.shipment.map(
    ({ field, after }) => referenceColumns[field]?.(derived.attributes, places) ?? { [field]: after?.value ?? null },
  );
  return Object.assign({}, ...columns);
}

/** What each container shows of its shipment's places. */
function sharedPatch({ derived: { attributes } }: TrackingWrite, places: ResolvedPlaces): ContainerPatch {
  const podTerminalId = terminalId(podTerminal(attributes), places);
  const destination = attributes.destination ? places.place(asPlace(attributes.destination.value)) : null;
  return {
    podTerminalId,
    pickupFacilityId: destination === null ? podTerminalId : terminalId(destinationTerminal(attributes), places),
    finalDestinationTimezone: destination?.timeZone ?? null,
  };
}

function containerPatch(changes: ContainerChanges, write: TrackingWrite, places: ResolvedPlaces): ContainerPatch {
  const columns = Object.fromEntries(changes.fields.map(({ field, after }) => [field, after?.value ?? null]));
  if (!("emptyTerminatedAt" in columns)) return columns;
  const container = write.derived.containers.find(({ number }) => number === changes.number);
  const returned = container?.events.findLast(({ event }) => event === "empty_in");
  const place = returned ? places.place({ place: returned.place, kind: returned.placeKind }) : null;
  return { ...columns, emptyTerminatedTimezone: place?.timeZone ?? null };
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

/** The ids of what was written, for those who tell of it. */
export interface WrittenTracking {
  /** Of every changed container, by its number. */
  readonly containerIds: ReadonlyMap<string, string>;
  /** Of every new row of the timeline, by `timelineKey`. */
  readonly eventIds: ReadonlyMap<string, string>;
  /** The vessel that calls at the port of discharge. */
  readonly podVesselId: string | null;
}

/** Names a live row of the timeline within its shipment. */
export const timelineKey = (containerId: string, milestoneKey: string): string => `${containerId} ${milestoneKey}`;

/**
 * Brings a shipment, its containers, their timeline and the history of every attribute to what the fold says, with a fixed
 * number of statements however many containers there are. Rows that do not change are not touched.
 */
export async function writeTracking(sql: Sql, accountId: string, write: TrackingWrite): Promise<WrittenTracking> {
  const { shipmentId, newShipment, changes, now } = write;
  const places = await resolveAll(sql, write);
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
  await writeTimeline(sql, accountId, shipmentId, { invalidated, added }, { places, now });
  await writeFacts(sql, accountId, changedFacts(shipmentId, changes.shipment, changes.containers, idOf), now);
  const eventIds = new Map(
    added.map(({ id, containerId, event }) => [timelineKey(containerId, event.milestoneKey), id]),
  );
  const { podVessel } = write.derived.attributes;
  return { containerIds, eventIds, podVesselId: podVessel ? places.vesselId(podVessel.value) : null };
}
