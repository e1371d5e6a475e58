import type { Observation } from "../../observations/observation.ts";
import type { TransportEventName } from "../../transport-events/transport-event.ts";
import { deriveShipment } from "../derive-shipment.ts";
import type { DerivedShipment, DerivedTransportEvent } from "../derived-shipment.ts";
import { testPlaces } from "./voyage.ts";
import { mainContainer } from "./voyages.ts";

/** Derived attributes as plain values. */
export type Values = Readonly<Record<string, unknown>>;

export const derive = (observations: readonly Observation[]): DerivedShipment =>
  deriveShipment(observations, testPlaces);

/** Attributes of the shipment, with places by UN/LOCODE and vessels by name. */
export function shipment(observations: readonly Observation[]): Values {
  const { portOfLading, portOfDischarge, destination, podVessel, ...rest } = derive(observations).attributes;
  return {
    ...valuesOf(rest),
    portOfLading: portOfLading?.value.locode,
    portOfDischarge: portOfDischarge?.value.locode,
    destination: destination?.value.locode,
    podVessel: podVessel?.value.name,
  };
}

export function container(observations: readonly Observation[], number = mainContainer): Values {
  return valuesOf(containerOf(observations, number).attributes);
}

export function status(observations: readonly Observation[], number = mainContainer): unknown {
  return containerOf(observations, number).attributes.currentStatus.value;
}

export function events(
  observations: readonly Observation[],
  name: TransportEventName,
): readonly DerivedTransportEvent[] {
  return containerOf(observations, mainContainer).events.filter(({ event }) => event === name);
}

/** The observation of a place by classifier and code, for example `"ACT ARRI"`. */
export function find(observations: readonly Observation[], what: string, at: string): Observation {
  const found = observations.find(
    ({ classifier, code, place }) => `${classifier} ${code}` === what && place.locode === at,
  );
  if (found === undefined) throw new Error(`No ${what} at ${at}`);
  return found;
}

function containerOf(observations: readonly Observation[], number: string) {
  const found = derive(observations).containers.find((one) => one.number === number);
  if (found === undefined) throw new Error(`No container ${number}`);
  return found;
}

function valuesOf(attributes: object): Values {
  return Object.fromEntries(Object.entries(attributes).map(([name, derived]) => [name, derived?.value]));
}
