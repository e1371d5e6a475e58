import type { TransportEventResource } from "@svc/jsonapi/transport-events";
import type { Included } from "../documents/included.ts";
import { type Camelized, camelize } from "./camelize.ts";
import { type MappedTerminal, mapTerminal } from "./mapped-terminal.ts";

export type MappedTransportEvent = Camelized<TransportEventResource["attributes"]> & {
  readonly id: string;
  readonly location: { readonly id: string; readonly name: string | null; readonly locode: string | null } | null;
  readonly terminal: MappedTerminal | null;
  readonly vessel: { readonly id: string; readonly name: string | null; readonly imo: string | null } | null;
};

export function mapTransportEvent(event: TransportEventResource, included: Included): MappedTransportEvent {
  const { relationships } = event;
  const place = relationships.location.data;
  const placeAttributes = included.find(place)?.attributes;
  const vessel = relationships.vessel.data;
  const vesselAttributes = included.find(vessel)?.attributes;
  return {
    ...camelize(event.attributes),
    id: event.id,
    location: place && {
      id: place.id,
      name: placeAttributes?.name ?? null,
      locode: placeAttributes?.code ?? event.attributes.location_locode,
    },
    terminal: mapTerminal(relationships.terminal.data, included),
    vessel: vessel && { id: vessel.id, name: vesselAttributes?.name ?? null, imo: vesselAttributes?.imo ?? null },
  };
}
