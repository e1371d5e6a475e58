import type { Container } from "../containers/container.ts";
import type { Shipment } from "./shipment.ts";

type Arriving = Pick<
  Shipment,
  "podEtaAt" | "podOriginalEtaAt" | "podAtaAt" | "podVesselName" | "podVesselImo" | "podVoyageNumber"
>;

/** Whether the containers of its shipment have different ETAs at the port of discharge. */
export const arrivesSeparately = ({ podEtaAt }: Pick<Container, "podEtaAt">): boolean => podEtaAt !== null;

/**
 * The shipment with the arrival of one container. Overviews follow the same rule: the shipment's own arrival is that of
 * its first container, its ETA that of the last one.
 */
export function withArrivalOf<S extends Arriving>(
  container: Pick<Container, (keyof Arriving & keyof Container) | "podArrivedAt" | "podDischargedAt">,
  shipment: S,
): S {
  if (!arrivesSeparately(container)) return shipment;
  const { podEtaAt, podOriginalEtaAt, podVesselName, podVesselImo, podVoyageNumber } = container;
  return {
    ...shipment,
    ...{ podEtaAt, podVesselName, podVesselImo, podVoyageNumber },
    podOriginalEtaAt: podOriginalEtaAt ?? shipment.podOriginalEtaAt,
    podAtaAt: container.podArrivedAt ?? container.podDischargedAt,
  };
}
