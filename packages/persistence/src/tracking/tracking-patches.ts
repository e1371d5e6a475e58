import type {
  ContainerChanges,
  DerivedContainer,
  DerivedPlace,
  DerivedShipment,
  TrackingChanges,
} from "@svc/domain/derivation";
import type { ObservedPlace, ObservedVessel } from "@svc/domain/observations";
import type { ContainerRow } from "../containers/container-row.ts";
import type { StubSource } from "../reference-data/place-stubs.ts";
import { type PlaceMention, type ResolvedPlaces, resolvePlaces } from "../reference-data/resolve-places.ts";
import type { Sql } from "../sql.ts";
import { type ContainerPatch, unknownColumns } from "./container-rows.ts";
import type { ShipmentPatch } from "./shipment-rows.ts";

/** The derived shipment and its changes. */
interface Derivation {
  readonly derived: DerivedShipment;
  readonly changes: TrackingChanges;
  /** Ids of the observations that the account supplied by imports and pushes, which must not name shared rows. */
  readonly accountSupplied: ReadonlySet<string>;
}

type Attributes = DerivedShipment["attributes"];

const asPort = (place: DerivedPlace): PlaceMention => ({ place, kind: "port" });
const asPlace = (place: DerivedPlace): PlaceMention => ({ place, kind: place.kind });

/** A facility is identified by its code within its place. */
function facilityMention(facility: ObservedPlace, place: DerivedPlace | undefined): PlaceMention {
  return { place: { ...facility, locode: place?.locode ?? facility.locode }, kind: place?.kind ?? "port" };
}

const podTerminal = ({ podTerminal: facility, portOfDischarge }: Attributes): PlaceMention | null =>
  facility ? facilityMention(facility.value, portOfDischarge && { ...portOfDischarge.value, kind: "port" }) : null;
const destinationTerminal = ({ destinationTerminal: facility, destination }: Attributes): PlaceMention | null =>
  facility ? facilityMention(facility.value, destination?.value) : null;

/** The vessel of a container that arrives separately. */
export function separateVessel({ attributes }: DerivedContainer): ObservedVessel | null {
  const { podVesselName, podVesselImo } = attributes;
  return podVesselName || podVesselImo
    ? { name: podVesselName?.value ?? null, imo: podVesselImo?.value ?? null }
    : null;
}

/** The rows of every place and vessel in the changes. */
export function resolveDerivedPlaces(
  sql: Sql,
  { derived, changes, accountSupplied }: Derivation,
): Promise<ResolvedPlaces> {
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
  ].filter((mention) => mention != null);
  // The kind of a place is derived from all observations, so one observation of the account applies to all.
  const source = accountSupplied.size > 0 ? "account" : "carrier";
  const sourceOf = (observationId: string | null): StubSource =>
    observationId === null || accountSupplied.has(observationId) ? source : "carrier";
  const { podVessel } = attributes;
  const shipmentVessels = podVessel ? [{ ...podVessel.value, source: sourceOf(podVessel.observationId) }] : [];
  const containerVessels = derived.containers.flatMap((container) => {
    const own = separateVessel(container);
    return own ? { ...own, source: sourceOf(container.attributes.podVesselName?.observationId ?? null) } : [];
  });
  const eventVessels = events.flatMap(({ vessel, observationId }) =>
    vessel === null ? [] : [{ ...vessel, source: sourceOf(observationId) }],
  );
  return resolvePlaces(
    sql,
    mentions.map((mention) => ({ ...mention, source })),
    [...shipmentVessels, ...containerVessels, ...eventVessels],
  );
}

type ColumnMapper = (attributes: Attributes, places: ResolvedPlaces) => ShipmentPatch;

/** Attributes that refer to a row; all others are columns of the same name. */
const referenceColumns: Readonly<Record<string, ColumnMapper>> = {
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

/** The changed columns of the shipment. */
export function shipmentPatch(
  { changes, derived }: Omit<Derivation, "accountSupplied">,
  places: ResolvedPlaces,
): ShipmentPatch {
  const columns = changes.shipment.map(
    ({ field, after }) => referenceColumns[field]?.(derived.attributes, places) ?? { [field]: after?.value ?? null },
  );
  return Object.assign({}, ...columns, notifiedPatch(changes, null));
}

const notifiedColumns = {
  polEtdAt: "notifiedPolEtdAt",
  podEtaAt: "notifiedPodEtaAt",
  indEtaAt: "notifiedIndEtaAt",
} as const;

/** The last notified estimates that changed; of the shipment when `containerId` is null. */
export function notifiedPatch(
  { notifiedEstimates }: TrackingChanges,
  containerId: string | null,
): ShipmentPatch & ContainerPatch {
  const own = notifiedEstimates.filter((change) => change.containerId === containerId);
  return Object.fromEntries(own.map(({ field, estimatedAt }) => [notifiedColumns[field], estimatedAt]));
}

/** The columns of a container that depend on its shipment's places. */
export function sharedPatch(
  { derived: { attributes } }: Pick<Derivation, "derived">,
  places: ResolvedPlaces,
): ContainerPatch {
  const podTerminalId = terminalId(podTerminal(attributes), places);
  const destination = attributes.destination ? places.place(asPlace(attributes.destination.value)) : null;
  return {
    podTerminalId,
    pickupFacilityId: destination === null ? podTerminalId : terminalId(destinationTerminal(attributes), places),
    finalDestinationTimezone: destination?.timeZone ?? null,
  };
}

/** Returns the columns of the shipment's places that describe its containers. */
export function placeDetails(
  { derived: { attributes } }: Pick<Derivation, "derived">,
  places: ResolvedPlaces,
): Pick<ContainerRow, "podTimezone" | "pickupFacilityKind"> {
  const { portOfDischarge, destination } = attributes;
  const facility = destination ? destinationTerminal(attributes) : podTerminal(attributes);
  return {
    podTimezone: (portOfDischarge && places.place(asPort(portOfDischarge.value))?.timeZone) ?? null,
    pickupFacilityKind: (facility && places.terminal(facility)?.kind) ?? null,
  };
}

const unknownValue = (field: string) =>
  (unknownColumns as Readonly<Record<string, ContainerPatch[keyof ContainerPatch]>>)[field] ?? null;

/** The changed columns of a container. */
export function containerPatch(
  changes: ContainerChanges,
  { derived }: Pick<Derivation, "derived">,
  places: ResolvedPlaces,
): ContainerPatch {
  const columns = Object.fromEntries(
    changes.fields.map(({ field, after }) => [field, after?.value ?? unknownValue(field)]),
  );
  if (!("emptyTerminatedAt" in columns)) return columns;
  const container = derived.containers.find(({ number }) => number === changes.number);
  const returned = container?.events.findLast(({ event }) => event === "empty_in");
  const place = returned ? places.place({ place: returned.place, kind: returned.placeKind }) : null;
  return { ...columns, emptyTerminatedTimezone: place?.timeZone ?? null };
}
