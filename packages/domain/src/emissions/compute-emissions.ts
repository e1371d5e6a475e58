import type { RouteStop } from "../container-route/route-stop.ts";
import { type LocalDate, localDateOrUtc } from "../local-time.ts";
import type { SeaPort, SeaRoute } from "../sea-routes/find-sea-route.ts";
import { type EmissionFactor, type EnergyScope, energyScopes } from "./emission-factor.ts";
import { type FactorCriterion, selectFactor } from "./select-factor.ts";

/** The calculation, as reports name it. */
export const emissionMethod = "ISO 14083:2023 and GLEC Framework v3";

/**
 * The distance adjustment factor of the GLEC Framework for sea transport: vessels sail 15 % more than the shortest
 * feasible distance.
 */
export const seaDistanceAdjustment = 1.15;

const kmPerNauticalMile = 1.852;

/** TEU by the length of the container in feet. */
const teuByLength: Readonly<Record<number, number>> = { 20: 1, 40: 2, 45: 2.25 };

/** Facts about a container from which its emissions follow. */
export interface EmissionFacts {
  /** SCAC of the shipping line. */
  readonly carrierScac: string;
  readonly equipmentType: string | null;
  /** Feet. */
  readonly equipmentLength: number | null;
  /** Its route, in order. */
  readonly stops: readonly RouteStop[];
}

/** Why a leg has no figure. */
export const legReasons = [
  "inland_leg",
  "place_missing",
  "no_sea_route",
  "equipment_length_missing",
  "equipment_length_not_covered",
  "equipment_type_missing",
  "departure_date_missing",
  "no_factor",
] as const;
export type LegReason = (typeof legReasons)[number];

/** Why a container has no total. */
export const totalReasons = [
  "route_missing",
  "port_of_lading_missing",
  "port_of_discharge_missing",
  "leg_missing",
] as const;
export type TotalReason = (typeof totalReasons)[number];

export const legStatuses = ["planned", "in_transit", "completed"] as const;

export interface LegPlace {
  readonly locode: string | null;
  readonly name: string | null;
}

/** Emissions of one leg for the container. */
export type ScopedEmissions = { readonly energyScope: EnergyScope } & (
  | {
      readonly grams: number;
      readonly reason: null;
      readonly factor: EmissionFactor;
      readonly matchedBy: readonly FactorCriterion[];
      /** Distance, with the distance adjustment factor where the emission factor is per actual distance. */
      readonly adjustedKm: number;
    }
  | { readonly grams: null; readonly reason: LegReason }
);

export interface LegEmissions {
  /** Position of the leg, from 1. */
  readonly sequence: number;
  readonly mode: "sea" | "inland";
  readonly status: (typeof legStatuses)[number];
  readonly from: LegPlace;
  readonly to: LegPlace;
  readonly vesselImo: string | null;
  readonly vesselName: string | null;
  readonly voyageNumber: string | null;
  /** Actual or estimated, in the time zone of the port. */
  readonly departsOn: LocalDate | null;
  /** The shortest feasible distance along shipping lanes, in whole km. Null: none is known. */
  readonly distanceKm: number | null;
  readonly figures: readonly ScopedEmissions[];
}

export interface TotalEmissions {
  readonly energyScope: EnergyScope;
  /** Emissions of all legs by sea. Null: a part is not known. */
  readonly grams: number | null;
  readonly reason: TotalReason | null;
}

export interface ContainerEmissions {
  /** Factors of the account for the carrier. */
  readonly factorsConsidered: number;
  readonly teu: number | null;
  readonly totals: readonly TotalEmissions[];
  readonly legs: readonly LegEmissions[];
}

export type FindDistance = (from: SeaPort, to: SeaPort) => Pick<SeaRoute, "distanceNm"> | null;

interface Leg {
  readonly from: RouteStop;
  readonly to: RouteStop;
}

function portOf({ place }: RouteStop): SeaPort | null {
  if (place === null || place.longitude === null || place.latitude === null) return null;
  return { locode: place.locode, position: [place.longitude, place.latitude] };
}

const modeOf = ({ to }: Leg): LegEmissions["mode"] => (to.role === "destination" ? "inland" : "sea");

/** A reason, or the distance in whole km, so that a reader can compute the result again. */
function distanceOf({ from, to }: Leg, findDistance: FindDistance): number | LegReason {
  const [fromPort, toPort] = [portOf(from), portOf(to)];
  if (fromPort === null || toPort === null) return "place_missing";
  const route = findDistance(fromPort, toPort);
  return route === null ? "no_sea_route" : Math.round(route.distanceNm * kmPerNauticalMile);
}

function teuOf(length: number | null): number | LegReason {
  if (length === null) return "equipment_length_missing";
  return teuByLength[length] ?? "equipment_length_not_covered";
}

const vesselOf = ({ from, to }: Leg) => from.outbound?.vessel ?? to.inbound?.vessel ?? null;

function departureDay({ from }: Leg): LocalDate | null {
  const at = from.outbound?.actualAt ?? from.outbound?.estimatedAt ?? null;
  if (at === null) return null;
  return localDateOrUtc(at, from.place?.timeZone ?? null);
}

function computeScopedEmissions(
  leg: Leg,
  energyScope: EnergyScope,
  known: { readonly distance: number | LegReason; readonly teu: number | LegReason },
  { carrierScac, equipmentType }: EmissionFacts,
  factors: readonly EmissionFactor[],
): ScopedEmissions {
  const unknown = (reason: LegReason): ScopedEmissions => ({ energyScope, grams: null, reason });
  const { distance, teu } = known;
  const { from, to } = leg;
  const scopeFactors = factors.filter((factor) => factor.energyScope === energyScope);
  if (modeOf(leg) === "inland") return unknown("inland_leg");
  if (scopeFactors.length === 0) return unknown("no_factor");
  if (typeof distance === "string") return unknown(distance);
  if (from.place === null || to.place === null) return unknown("place_missing");
  if (typeof teu === "string") return unknown(teu);
  const choice = selectFactor(scopeFactors, {
    carrierScac,
    fromLocode: from.place.locode,
    toLocode: to.place.locode,
    vesselImo: vesselOf(leg)?.imo ?? null,
    equipmentType,
    departsOn: departureDay(leg),
  });
  if (choice.factor === null) return unknown(choice.reason);
  const { factor, matchedBy } = choice;
  const isAdjusted = factor.distanceBasis === "actual_distance";
  // Whole km are adjusted, so two decimal places are exact.
  const adjustedKm = isAdjusted ? Math.round(distance * seaDistanceAdjustment * 100) / 100 : distance;
  const grams = Math.round(adjustedKm * teu * factor.gramsPerTeuKm);
  return { energyScope, grams, reason: null, factor, matchedBy, adjustedKm };
}

const placeOf = ({ place, key }: RouteStop): LegPlace => ({ locode: place?.locode ?? null, name: place?.name ?? key });

function statusOf({ from, to }: Leg): LegEmissions["status"] {
  if ((to.inbound?.actualAt ?? null) !== null) return "completed";
  return (from.outbound?.actualAt ?? null) === null ? "planned" : "in_transit";
}

function computeTotal(
  energyScope: EnergyScope,
  legs: readonly LegEmissions[],
  stops: readonly RouteStop[],
): TotalEmissions {
  const unknown = (reason: TotalReason): TotalEmissions => ({ energyScope, grams: null, reason });
  const roles = new Set(stops.map(({ role }) => role));
  if (stops.length === 0) return unknown("route_missing");
  if (!roles.has("port_of_lading")) return unknown("port_of_lading_missing");
  if (!roles.has("port_of_discharge")) return unknown("port_of_discharge_missing");
  let grams = 0;
  for (const { mode, figures } of legs) {
    if (mode === "inland") continue;
    const scoped = figures.find((one) => one.energyScope === energyScope);
    if (scoped === undefined || scoped.grams === null) return unknown("leg_missing");
    grams += scoped.grams;
  }
  return { energyScope, grams, reason: null };
}

/**
 * Computes the emissions of a container's legs by sea: distance × TEU × factor, by ISO 14083 and the GLEC Framework. A
 * missing factor, place or equipment has a reason instead of a figure. Well-to-wake is always shown, tank-to-wake where
 * the account has a factor for it.
 */
export function computeEmissions(
  facts: EmissionFacts,
  factors: readonly EmissionFactor[],
  findDistance: FindDistance,
): ContainerEmissions {
  const { stops } = facts;
  const teu = teuOf(facts.equipmentLength);
  const scopes = energyScopes.filter(
    (scope) => scope === "well_to_wake" || factors.some(({ energyScope }) => energyScope === scope),
  );
  const legs = stops.slice(1).flatMap((to, index): LegEmissions[] => {
    const from = stops[index];
    if (from === undefined) return [];
    const leg = { from, to };
    const mode = modeOf(leg);
    const distance = mode === "inland" ? "inland_leg" : distanceOf(leg, findDistance);
    const vessel = vesselOf(leg);
    const one: LegEmissions = {
      sequence: index + 1,
      mode,
      status: statusOf(leg),
      from: placeOf(from),
      to: placeOf(to),
      vesselImo: vessel?.imo ?? null,
      vesselName: vessel?.name ?? null,
      voyageNumber: from.outbound?.voyageNumber ?? to.inbound?.voyageNumber ?? null,
      departsOn: departureDay(leg),
      distanceKm: typeof distance === "number" ? distance : null,
      figures: scopes.map((scope) => computeScopedEmissions(leg, scope, { distance, teu }, facts, factors)),
    };
    return [one];
  });
  return {
    factorsConsidered: factors.length,
    teu: typeof teu === "number" ? teu : null,
    totals: scopes.map((scope) => computeTotal(scope, legs, stops)),
    legs,
  };
}
