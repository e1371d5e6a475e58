import type { MappedLeg, MappedStop, MappedVessel, RouteMap } from "@svc/domain/container-route";
import { lineGeometry, pointGeometry } from "./geometry.ts";
import type { RouteMapDocument } from "./route-map-schema.ts";

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** The GeoJSON of a route map. Parts of a leg without length are omitted. */
export function routeMapDocument(map: RouteMap): RouteMapDocument {
  const { vessel } = map;
  return {
    type: "FeatureCollection",
    features: [
      ...map.stops.map((stop, index) => portFeature(stop, index + 1, map.stops.length)),
      ...map.sailedLegs.map(pastLocationsFeature),
      ...map.legsAhead.map(fullLegFeature),
      ...(vessel === null || vessel.ahead.length < 2 ? [] : [partialLegFeature(vessel)]),
      ...(vessel === null ? [] : [currentVesselFeature(vessel)]),
    ],
  };
}

function portFeature({ stop, place, position, label }: MappedStop, sequence: number, total: number) {
  return {
    type: "Feature" as const,
    geometry: pointGeometry(position),
    properties: {
      feature_type: "port" as const,
      ports_sequence: sequence,
      ports_total: total,
      location_id: place.id,
      location_type: place.kind === "port" ? ("Port" as const) : ("MetroArea" as const),
      name: place.name,
      state: null,
      state_abbr: place.stateAbbr,
      country: countries.of(place.countryCode) ?? place.countryCode,
      country_code: place.countryCode,
      time_zone: place.timeZone,
      label,
      inbound_eta_at: stop.inbound?.estimatedAt ?? null,
      inbound_ata_at: stop.inbound?.actualAt ?? null,
      outbound_etd_at: stop.outbound?.estimatedAt ?? null,
      outbound_atd_at: stop.outbound?.actualAt ?? null,
      updated_at: stop.updatedAt,
    },
  };
}

function pastLocationsFeature({ from, to, sequence, points }: MappedLeg) {
  const [outbound, inbound] = [from.stop.outbound, to.stop.inbound];
  return {
    type: "Feature" as const,
    geometry: lineGeometry(points),
    properties: {
      feature_type: "past_vessel_locations" as const,
      ports_sequence: sequence,
      point_count: points.length,
      vessel_id: outbound?.vessel?.id ?? inbound?.vessel?.id ?? null,
      start_time: outbound?.actualAt ?? null,
      end_time: inbound?.actualAt ?? null,
      outbound_atd_at: outbound?.actualAt ?? null,
      inbound_ata_at: inbound?.actualAt ?? null,
      inbound_eta_at: inbound?.estimatedAt ?? null,
    },
  };
}

function fullLegFeature({ from, to, sequence, points }: MappedLeg) {
  return {
    type: "Feature" as const,
    geometry: lineGeometry(points),
    properties: {
      feature_type: "estimated_full_legs" as const,
      ports_sequence: sequence,
      point_count: points.length,
      previous_port_id: from.place.id,
      next_port_id: to.place.id,
    },
  };
}

function partialLegFeature({ leg, ahead }: MappedVessel) {
  return {
    type: "Feature" as const,
    geometry: lineGeometry(ahead),
    properties: {
      feature_type: "estimated_partial_leg" as const,
      ports_sequence: leg.sequence,
      point_count: ahead.length,
      current_port_id: leg.from.place.id,
      next_port_id: leg.to.place.id,
    },
  };
}

function currentVesselFeature({ leg: { from, to, sequence }, vessel, position, at, ageMs, reported }: MappedVessel) {
  const [outbound, inbound] = [from.stop.outbound, to.stop.inbound];
  return {
    type: "Feature" as const,
    geometry: pointGeometry(position),
    properties: {
      feature_type: "current_vessel" as const,
      position_source: reported === null ? ("estimated" as const) : ("ais" as const),
      ports_sequence: sequence,
      vessel_id: vessel?.id ?? null,
      vessel_name: vessel?.name ?? null,
      vessel_imo: vessel?.imo ?? null,
      voyage_number: outbound?.voyageNumber ?? inbound?.voyageNumber ?? null,
      vessel_location_timestamp: at,
      vessel_location_age_seconds: Math.round(ageMs / 1_000),
      vessel_location_heading: reported?.headingDegrees ?? reported?.courseDegrees ?? null,
      vessel_location_speed: reported?.speedKnots ?? null,
      departure_port_id: from.place.id,
      departure_port_name: from.place.name,
      departure_port_state: from.place.stateAbbr,
      departure_port_state_abbr: from.place.stateAbbr,
      departure_port_country_code: from.place.countryCode,
      departure_port_country: countries.of(from.place.countryCode) ?? from.place.countryCode,
      departure_port_label: from.label,
      departure_port_time_zone: from.place.timeZone,
      departure_port_atd: outbound?.actualAt ?? null,
      arrival_port_id: to.place.id,
      arrival_port_name: to.place.name,
      arrival_port_state: to.place.stateAbbr,
      arrival_port_state_abbr: to.place.stateAbbr,
      arrival_port_country_code: to.place.countryCode,
      arrival_port_country: countries.of(to.place.countryCode) ?? to.place.countryCode,
      arrival_port_label: to.label,
      arrival_port_time_zone: to.place.timeZone,
      arrival_port_eta: inbound?.estimatedAt ?? null,
    },
  };
}
