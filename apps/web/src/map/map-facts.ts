import { compareText } from "@svc/domain";
import { exceptionThresholds } from "@svc/domain/exceptions";
import type { ContainerPositionsDocument } from "@svc/sdk";
import type { WorldPlace } from "@svc/views/world-map";

/** A vessel on a leg, or a place, with the containers there. */
export type MapPlace = ContainerPositionsDocument["features"][number];
export type MapContainer = MapPlace["properties"]["containers"][number];

export interface ContainerCounts {
  readonly count: number;
  readonly late: number;
  readonly exceptions: number;
}

export const isLate = ({ delay_days: days }: MapContainer): boolean =>
  days !== null && days >= exceptionThresholds.lateArrivalDays;

export function countContainers(places: readonly MapPlace[]): ContainerCounts {
  const containers = places.flatMap(({ properties }) => properties.containers);
  return {
    count: containers.length,
    late: containers.filter(isLate).length,
    exceptions: containers.filter((container) => container.has_open_exception).length,
  };
}

export const isAtSea = ({ properties }: Pick<MapPlace, "properties">): boolean => properties.next_port_locode !== null;

const vesselName = ({ properties }: MapPlace): string =>
  properties.vessel_name ?? (properties.vessel_imo === null ? "Vessel not named" : `IMO ${properties.vessel_imo}`);

export const placeTitle = (place: MapPlace): string =>
  isAtSea(place) ? vesselName(place) : (place.properties.place_name ?? "");

/** Returns the numbers that the map draws for a place, without its containers. */
export const toWorldPlace = (place: MapPlace): WorldPlace => ({
  position: [place.geometry.coordinates[0], place.geometry.coordinates[1]],
  name: placeTitle(place),
  kind: isAtSea(place) ? "vessel" : "place",
  heading: place.properties.heading ?? 0,
  ...countContainers([place]),
});

/** A group of places, or of the vessels that sail to a port. */
export interface PlaceGroup extends ContainerCounts {
  /** Value of `at` in the URL that selects the group. */
  readonly at: string;
  readonly name: string;
  readonly places: readonly MapPlace[];
}

const byCount = (one: PlaceGroup, other: PlaceGroup): number =>
  other.count - one.count || compareText(one.name, other.name);

/** Vessels by their next port, and the places where containers are, the largest first. */
export function groupPlaces(places: readonly MapPlace[]): {
  readonly atSea: readonly PlaceGroup[];
  readonly ashore: readonly PlaceGroup[];
} {
  const sailing = Map.groupBy(places.filter(isAtSea), ({ properties }) => properties.next_port_locode ?? "");
  const atSea = [...sailing].map(([locode, vessels]) => {
    const name = vessels[0]?.properties.next_port_name ?? locode;
    return { at: `to-${locode}`, name, places: vessels, ...countContainers(vessels) };
  });
  const ashore = places
    .filter((place) => !isAtSea(place))
    .map((place) => ({
      at: place.id,
      name: place.properties.place_name ?? "",
      places: [place],
      ...countContainers([place]),
    }));
  return { atSea: atSea.toSorted(byCount), ashore: ashore.toSorted(byCount) };
}
