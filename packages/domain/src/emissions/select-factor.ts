import type { LocalDate } from "../local-time.ts";
import type { EmissionFactor, FactorSettings } from "./emission-factor.ts";

/** Attributes of a leg that factors are matched with. */
export interface FactorLeg {
  readonly carrierScac: string;
  /** UN/LOCODEs of the ports of the leg. */
  readonly fromLocode: string;
  readonly toLocode: string;
  readonly vesselImo: string | null;
  /** `equipmentType` of the container. */
  readonly equipmentType: string | null;
  /** Date of departure in the time zone of the port. */
  readonly departsOn: LocalDate | null;
}

/** Criteria by which a factor selects legs. */
export const factorCriteria = ["vessel", "carrier", "origin", "destination", "equipment"] as const;
export type FactorCriterion = (typeof factorCriteria)[number];

/** Why it cannot be decided which factor applies. */
export type UndecidedReason = "equipment_type_missing" | "departure_date_missing";

export type FactorChoice =
  | { readonly factor: EmissionFactor; readonly matchedBy: readonly FactorCriterion[] }
  | { readonly factor: null; readonly reason: UndecidedReason | "no_factor" };

/** 2: the port is named, 1: its country, 0: any port will do; null: another place is named. */
function placeRank(places: readonly string[], locode: string): number | null {
  if (places.length === 0) return 0;
  if (places.includes(locode)) return 2;
  return places.includes(locode.slice(0, 2)) ? 1 : null;
}

/** Returns the rank of origin and destination together; null: the factor is for another lane. */
function laneRank({ origins, destinations, bothDirections }: FactorSettings, leg: FactorLeg): number | null {
  const rank = (from: string, to: string): number | null => {
    const [origin, destination] = [placeRank(origins, from), placeRank(destinations, to)];
    return origin === null || destination === null ? null : origin + destination;
  };
  const ranks = [rank(leg.fromLocode, leg.toLocode), bothDirections ? rank(leg.toLocode, leg.fromLocode) : null];
  return ranks.reduce((best, one) => (one !== null && (best === null || one > best) ? one : best), null);
}

function isForEquipment({ equipment }: FactorSettings, equipmentType: string | null): boolean {
  if (equipment === null || equipmentType === null) return true;
  return (equipmentType === "reefer") === (equipment === "reefer");
}

function isValidOn({ validFrom, validUntil }: FactorSettings, day: LocalDate | null): boolean {
  return day === null || ((validFrom === null || validFrom <= day) && (validUntil === null || validUntil >= day));
}

interface Candidate {
  readonly factor: EmissionFactor;
  /** The more specific is greater: by vessel, carrier, lane and equipment, then by the first day of validity. */
  readonly rank: readonly (number | string)[];
  readonly undecided: UndecidedReason | null;
}

function undecidedReason(factor: FactorSettings, leg: FactorLeg): UndecidedReason | null {
  if (factor.equipment !== null && leg.equipmentType === null) return "equipment_type_missing";
  const hasValidity = factor.validFrom !== null || factor.validUntil !== null;
  return hasValidity && leg.departsOn === null ? "departure_date_missing" : null;
}

/** Null: the factor is not for the leg, whatever is not known of it. */
function toCandidate(factor: EmissionFactor, leg: FactorLeg): Candidate | null {
  const lane = laneRank(factor, leg);
  const isForLeg =
    lane !== null &&
    (factor.carrierScac === null || factor.carrierScac === leg.carrierScac) &&
    (factor.vesselImo === null || factor.vesselImo === leg.vesselImo) &&
    isForEquipment(factor, leg.equipmentType) &&
    isValidOn(factor, leg.departsOn);
  if (!isForLeg) return null;
  const [named, carrier] = [Number(factor.vesselImo !== null), Number(factor.carrierScac !== null)];
  const rank = [named, carrier, lane, Number(factor.equipment !== null), factor.validFrom ?? ""];
  return { factor, rank: [...rank, factor.createdAt, factor.id], undecided: undecidedReason(factor, leg) };
}

function compareRanks({ rank }: Candidate, { rank: others }: Candidate): number {
  for (const [index, value] of rank.entries()) {
    const other = others[index];
    if (other !== undefined && value !== other) return value > other ? -1 : 1;
  }
  return 0;
}

function criteriaOf(factor: FactorSettings): FactorCriterion[] {
  const names: Readonly<Record<FactorCriterion, boolean>> = {
    vessel: factor.vesselImo !== null,
    carrier: factor.carrierScac !== null,
    origin: factor.origins.length > 0,
    destination: factor.destinations.length > 0,
    equipment: factor.equipment !== null,
  };
  return factorCriteria.filter((criterion) => names[criterion]);
}

/**
 * The most specific factor for the leg; of equal ones that which is valid since a later day, then the newest. None
 * where the most specific one depends on what is not known of the leg: the next would be a guess.
 */
export function selectFactor(factors: readonly EmissionFactor[], leg: FactorLeg): FactorChoice {
  const candidates = factors.map((factor) => toCandidate(factor, leg)).filter((one) => one !== null);
  const [best] = candidates.toSorted(compareRanks);
  if (best === undefined) return { factor: null, reason: "no_factor" };
  if (best.undecided !== null) return { factor: null, reason: best.undecided };
  return { factor: best.factor, matchedBy: criteriaOf(best.factor) };
}
