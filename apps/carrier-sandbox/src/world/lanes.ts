import { type Place, places } from "./places.ts";
import type { Service } from "./vessels.ts";

/** A connection of two ports that the carrier serves, with its distance on the usual route. */
export interface Lane {
  readonly from: Place;
  readonly to: Place;
  readonly nauticalMiles: number;
  /** The carrier's service code, at most five characters. */
  readonly service: Service;
  /** The suffix of the voyage number: the direction in which the vessel sails. */
  readonly direction: "N" | "E" | "S" | "W";
}

function lane(from: Place, to: Place, nauticalMiles: number, service: Service, direction: Lane["direction"]): Lane {
  return { from, to, nauticalMiles, service, direction };
}

/** Short enough for a voyage to end within half an hour at the default time scale. */
export const directLanes = [
  lane(places.shanghai, places.losAngeles, 5_720, "SBP1", "E"),
  lane(places.yantian, places.longBeach, 6_360, "SBP2", "E"),
  lane(places.busan, places.oakland, 4_950, "SBP3", "E"),
  lane(places.nhavaSheva, places.rotterdam, 6_350, "SBE2", "W"),
  lane(places.santos, places.antwerp, 5_450, "SBS1", "N"),
] as const;

/** Two lanes that meet at a transshipment hub. */
export const transshipmentRoutes = [
  [
    lane(places.xiamen, places.singapore, 1_680, "SBA1", "S"),
    lane(places.singapore, places.jebelAli, 3_450, "SBG1", "W"),
  ],
  [
    lane(places.laemChabang, places.singapore, 800, "SBA2", "S"),
    lane(places.singapore, places.genoa, 6_580, "SBM1", "W"),
  ],
] as const;

/** Three lanes at sea, with the barge that feeds the first. */
export const feederRoute = {
  barge: { from: places.guangzhou, to: places.yantian, nauticalMiles: 70, service: "SBB1" },
  sea: [
    lane(places.yantian, places.singapore, 1_450, "SBA3", "S"),
    lane(places.singapore, places.colombo, 1_570, "SBI1", "W"),
    lane(places.colombo, places.nhavaSheva, 890, "SBI2", "N"),
  ],
} as const;

/** A lane to a port of discharge, with the rail connection to an inland destination. */
export const railRoutes = [
  { sea: lane(places.shanghai, places.losAngeles, 5_720, "SBP1", "E"), ramp: places.chicago, railDays: 4.5 },
  { sea: lane(places.nhavaSheva, places.rotterdam, 6_350, "SBE2", "W"), ramp: places.duisburg, railDays: 1.2 },
] as const;

/** A port of discharge, and the next port of the rotation, where containers are discharged if the first is omitted. */
export const omissionRoutes = [
  {
    planned: lane(places.ningbo, places.longBeach, 5_780, "SBP4", "E"),
    instead: places.oakland,
    furtherNauticalMiles: 370,
  },
  {
    planned: lane(places.nhavaSheva, places.antwerp, 6_380, "SBE2", "W"),
    instead: places.rotterdam,
    furtherNauticalMiles: 130,
  },
] as const;
