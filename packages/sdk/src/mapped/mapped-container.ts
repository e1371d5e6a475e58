import type { ContainerResource } from "@svc/jsonapi/containers";
import type { Included } from "../documents/included.ts";
import { type Camelized, camelize } from "./camelize.ts";
import { type MappedTerminal, mapTerminal } from "./mapped-terminal.ts";
import { type MappedTransportEvent, mapTransportEvent } from "./mapped-transport-event.ts";

type Attributes = Camelized<ContainerResource["attributes"]>;

/** docs/contract/reference.md 9.1: every attribute in camelCase, and the same facts grouped by what they answer. */
export type MappedContainer = Attributes & {
  readonly id: string;
  readonly status: Attributes["currentStatus"];
  readonly equipment: {
    readonly type: string | null;
    readonly length: number | null;
    readonly height: string | null;
    readonly weightLbs: number | null;
  };
  readonly location: {
    readonly currentLocation: string | null;
    readonly availableForPickup: boolean | null;
    readonly podArrivedAt: string | null;
    readonly podDischargedAt: string | null;
  };
  readonly demurrage: {
    readonly pickupLfd: string | null;
    readonly pickupAppointmentAt: string | null;
    readonly fees: Attributes["feesAtPodTerminal"];
    readonly holds: Attributes["holdsAtPodTerminal"];
  };
  readonly terminals: {
    readonly podTerminal: MappedTerminal | null;
    readonly destinationTerminal: MappedTerminal | null;
  };
  readonly rail: {
    readonly podRailCarrierScac: string | null;
    readonly indRailCarrierScac: string | null;
    readonly podRailLoadedAt: string | null;
    readonly indRailArrivedAt: string | null;
    readonly indRailUnloadedAt: string | null;
    readonly indEtaAt: string | null;
    readonly indAtaAt: string | null;
  };
  /** Null when they were not asked for with `include`. */
  readonly events: readonly MappedTransportEvent[] | null;
  /** Shipment of the container. Number and carrier are null when it was not requested with `include`. */
  readonly shipment: {
    readonly id: string;
    readonly billOfLading: string | null;
    readonly shippingLineScac: string | null;
  };
};

export function mapContainer(container: ContainerResource, included: Included): MappedContainer {
  const { relationships } = container;
  const attributes = camelize(container.attributes);
  const shipment = relationships.shipment.data;
  const shipmentAttributes = included.find(shipment)?.attributes;
  const events = relationships.transport_events.data?.flatMap((identifier) => included.find(identifier) ?? []);
  return {
    ...attributes,
    id: container.id,
    status: attributes.currentStatus,
    equipment: {
      type: attributes.equipmentType,
      length: attributes.equipmentLength,
      height: attributes.equipmentHeight,
      weightLbs: attributes.weightInLbs,
    },
    location: {
      currentLocation: attributes.locationAtPodTerminal,
      availableForPickup: attributes.availableForPickup,
      podArrivedAt: attributes.podArrivedAt,
      podDischargedAt: attributes.podDischargedAt,
    },
    demurrage: {
      pickupLfd: attributes.pickupLfd,
      pickupAppointmentAt: attributes.pickupAppointmentAt,
      fees: attributes.feesAtPodTerminal,
      holds: attributes.holdsAtPodTerminal,
    },
    terminals: {
      podTerminal: mapTerminal(relationships.pod_terminal.data, included),
      destinationTerminal: mapTerminal(relationships.pickup_facility.data, included),
    },
    rail: {
      podRailCarrierScac: attributes.podRailCarrierScac,
      indRailCarrierScac: attributes.indRailCarrierScac,
      podRailLoadedAt: attributes.podRailLoadedAt,
      indRailArrivedAt: attributes.indAtaAt,
      indRailUnloadedAt: attributes.indRailUnloadedAt,
      indEtaAt: attributes.indEtaAt,
      indAtaAt: attributes.indAtaAt,
    },
    events: events === undefined ? null : events.map((event) => mapTransportEvent(event, included)),
    shipment: {
      id: shipment.id,
      billOfLading: shipmentAttributes?.bill_of_lading_number ?? null,
      shippingLineScac: shipmentAttributes?.shipping_line_scac ?? null,
    },
  };
}
