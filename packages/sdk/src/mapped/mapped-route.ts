import type { RouteLocationResource, RouteResource } from "@svc/jsonapi/containers";
import type { Included } from "../documents/included.ts";
import { type MappedTerminal, mapTerminal } from "./mapped-terminal.ts";

interface MappedCall {
  readonly mode: "vessel" | "rail" | null;
  readonly carrierScac: string | null;
  readonly voyageNumber: string | null;
  readonly vessel: { readonly id: string; readonly name: string | null; readonly imo: string | null } | null;
}

export interface MappedRouteLocation {
  readonly id: string;
  readonly place: { readonly id: string; readonly name: string | null; readonly locode: string | null } | null;
  /** Null where none is known. */
  readonly terminal: MappedTerminal | null;
  readonly inbound: MappedCall & { readonly eta: string | null; readonly ata: string | null };
  readonly outbound: MappedCall & { readonly etd: string | null; readonly atd: string | null };
}

export interface MappedRoute {
  readonly id: string;
  readonly totalLegs: number;
  readonly locations: readonly MappedRouteLocation[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

function findPlace(location: RouteLocationResource, included: Included): MappedRouteLocation["place"] {
  const identifier = location.relationships.location.data;
  if (identifier === null) return null;
  const attributes = included.find(identifier)?.attributes;
  const locode = attributes !== undefined && "code" in attributes ? attributes.code : null;
  return { id: identifier.id, name: attributes?.name ?? null, locode };
}

function findVessel(
  location: RouteLocationResource,
  side: "inbound" | "outbound",
  included: Included,
): MappedCall["vessel"] {
  const identifier = location.relationships[`${side}_vessel`].data;
  if (identifier === null) return null;
  const attributes = included.find(identifier)?.attributes;
  return { id: identifier.id, name: attributes?.name ?? null, imo: attributes?.imo ?? null };
}

function mapLocation(location: RouteLocationResource, included: Included): MappedRouteLocation {
  const { attributes } = location;
  return {
    id: location.id,
    place: findPlace(location, included),
    terminal: mapTerminal(location.relationships.facility.data, included),
    inbound: {
      mode: attributes.inbound_mode,
      carrierScac: attributes.inbound_scac,
      voyageNumber: attributes.inbound_voyage_number,
      vessel: findVessel(location, "inbound", included),
      eta: attributes.inbound_eta_at,
      ata: attributes.inbound_ata_at,
    },
    outbound: {
      mode: attributes.outbound_mode,
      carrierScac: attributes.outbound_scac,
      voyageNumber: attributes.outbound_voyage_number,
      vessel: findVessel(location, "outbound", included),
      etd: attributes.outbound_etd_at,
      atd: attributes.outbound_atd_at,
    },
  };
}

export function mapRoute(route: RouteResource, included: Included): MappedRoute {
  const locations = route.relationships.route_locations.data.flatMap((identifier) => included.find(identifier) ?? []);
  return {
    id: route.id,
    totalLegs: Math.max(locations.length - 1, 0),
    locations: locations.map((location) => mapLocation(location, included)),
    createdAt: route.attributes.created_at,
    updatedAt: route.attributes.updated_at,
  };
}
