import type { Container } from "../containers/container.ts";
import type { Shipment } from "./shipment.ts";

type Arriving = Pick<
  Shipment,
  "podEtaAt" | "podOriginalEtaAt" | "podAtaAt" | "podVesselName" | "podVesselImo" | "podVoyageNumber"
>;

/** Whether the containers of its shipment have different ETAs at the port of discharge. */
export const arrivesSeparately = ({ podEtaAt }: Pick<Container, "podEtaAt">): boolean => podEtaAt !== null;

type ArrivingContainer = Pick<
  Container,
  (keyof Arriving & keyof Container) | "number" | "podArrivedAt" | "podDischargedAt"
>;

/** When a container arrived at the port of discharge, by the report of itself; null: not reported. */
export const containerAta = ({ podArrivedAt, podDischargedAt }: Pick<Container, "podArrivedAt" | "podDischargedAt">) =>
  podArrivedAt ?? podDischargedAt;

/**
 * The shipment with the arrival of one container. Overviews follow the same rule: the shipment's own arrival is that of
 * its first container, its ETA that of the last one.
 */
export function withContainerArrival<S extends Arriving>(container: Omit<ArrivingContainer, "number">, shipment: S): S {
  if (!arrivesSeparately(container)) return shipment;
  const { podEtaAt, podOriginalEtaAt, podVesselName, podVesselImo, podVoyageNumber } = container;
  return {
    ...shipment,
    podEtaAt,
    podVesselName,
    podVesselImo,
    podVoyageNumber,
    podOriginalEtaAt: podOriginalEtaAt ?? shipment.podOriginalEtaAt,
    podAtaAt: containerAta(container),
  };
}

/** Whether a container has arrived at the port of discharge. */
export const isAtPort = (
  container: Pick<Container, "podEtaAt" | "podArrivedAt" | "podDischargedAt">,
  { podAtaAt }: Pick<Shipment, "podAtaAt">,
): boolean => containerAta(container) !== null || (!arrivesSeparately(container) && podAtaAt !== null);

/** Sorts containers that have not arrived before those that have, then the latest first, then by number. */
function compareArrivals(one: ArrivingContainer, other: ArrivingContainer): number {
  const key = (container: ArrivingContainer) =>
    [containerAta(container) === null ? 1 : 0, containerAta(container) ?? container.podEtaAt ?? ""] as const;
  const [[isComing, at], [isOtherComing, otherAt]] = [key(one), key(other)];
  if (isComing !== isOtherComing) return isOtherComing - isComing;
  if (at !== otherAt) return at < otherAt ? 1 : -1;
  return one.number < other.number ? -1 : 1;
}

/** The container that arrives last, of those that arrive separately; undefined: they arrive together. */
export const lastContainer = <C extends ArrivingContainer>(containers: readonly C[]): C | undefined =>
  containers.filter(arrivesSeparately).sort(compareArrivals)[0];

/**
 * The shipment with the arrival of its last container, if they arrive separately; overviews follow the same rule.
 * Without an original ETA of that container it has none, because that of another vessel would make a false delay.
 */
export function withLastArrival<S extends Arriving>(containers: readonly ArrivingContainer[], shipment: S): S {
  const last = lastContainer(containers);
  return last === undefined
    ? shipment
    : { ...withContainerArrival(last, shipment), podOriginalEtaAt: last.podOriginalEtaAt };
}
