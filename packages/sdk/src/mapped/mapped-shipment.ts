import type { ShipmentResource } from "@svc/jsonapi/shipments";
import type { Included } from "../documents/included.ts";
import { type Camelized, camelize } from "./camelize.ts";
import { type MappedTerminal, mapTerminal } from "./mapped-terminal.ts";

type Attributes = Camelized<ShipmentResource["attributes"]>;

interface MappedPlace {
  readonly locode: string | null;
  readonly name: string | null;
  /** ISO 3166-1 alpha-2, the first two letters of the UN/LOCODE. */
  readonly countryCode: string | null;
  readonly timezone: string | null;
}

/** docs/contract/reference.md 9.1: every attribute in camelCase, and the same facts grouped by place. */
export type MappedShipment = Omit<Attributes, "refNumbers"> & {
  readonly id: string;
  readonly refNumbers: readonly string[];
  readonly billOfLading: string;
  /** A number is null when containers were not asked for with `include`. */
  readonly containers: readonly { readonly id: string; readonly number: string | null }[];
  readonly vesselAtPod: {
    readonly name: string | null;
    readonly imo: string | null;
    readonly voyageNumber: string | null;
  };
  readonly ports: {
    readonly portOfLading: (MappedPlace & { readonly etd: string | null; readonly atd: string | null }) | null;
    readonly portOfDischarge:
      | (MappedPlace & {
          readonly eta: string | null;
          readonly ata: string | null;
          readonly originalEta: string | null;
          readonly terminal: MappedTerminal | null;
        })
      | null;
    readonly destination:
      | (MappedPlace & {
          readonly eta: string | null;
          readonly ata: string | null;
          readonly terminal: MappedTerminal | null;
        })
      | null;
  };
  readonly tracking: {
    readonly lineTrackingLastAttemptedAt: string | null;
    readonly lineTrackingLastSucceededAt: string | null;
    readonly lineTrackingStoppedAt: string | null;
    readonly lineTrackingStoppedReason: Attributes["lineTrackingStoppedReason"];
  };
};

function place(locode: string | null, name: string | null, timezone: string | null): MappedPlace | null {
  if (locode === null && name === null) return null;
  return { locode, name, countryCode: locode?.slice(0, 2) ?? null, timezone };
}

export function mapShipment(shipment: ShipmentResource, included: Included): MappedShipment {
  const { relationships } = shipment;
  const attributes = camelize(shipment.attributes);
  const lading = place(attributes.portOfLadingLocode, attributes.portOfLadingName, attributes.polTimezone);
  const discharge = place(attributes.portOfDischargeLocode, attributes.portOfDischargeName, attributes.podTimezone);
  const destination = place(attributes.destinationLocode, attributes.destinationName, attributes.destinationTimezone);
  return {
    ...attributes,
    id: shipment.id,
    refNumbers: attributes.refNumbers ?? [],
    billOfLading: attributes.billOfLadingNumber,
    containers: relationships.containers.data.map((identifier) => ({
      id: identifier.id,
      number: included.find(identifier)?.attributes.container_number ?? null,
    })),
    vesselAtPod: {
      name: attributes.podVesselName,
      imo: attributes.podVesselImo,
      voyageNumber: attributes.podVoyageNumber,
    },
    ports: {
      portOfLading: lading && { ...lading, etd: attributes.polEtdAt, atd: attributes.polAtdAt },
      portOfDischarge: discharge && {
        ...discharge,
        eta: attributes.podEtaAt,
        ata: attributes.podAtaAt,
        originalEta: attributes.podOriginalEtaAt,
        terminal: mapTerminal(relationships.pod_terminal.data, included),
      },
      destination: destination && {
        ...destination,
        eta: attributes.destinationEtaAt,
        ata: attributes.destinationAtaAt,
        terminal: mapTerminal(relationships.destination_terminal.data, included),
      },
    },
    tracking: {
      lineTrackingLastAttemptedAt: attributes.lineTrackingLastAttemptedAt,
      lineTrackingLastSucceededAt: attributes.lineTrackingLastSucceededAt,
      lineTrackingStoppedAt: attributes.lineTrackingStoppedAt,
      lineTrackingStoppedReason: attributes.lineTrackingStoppedReason,
    },
  };
}
