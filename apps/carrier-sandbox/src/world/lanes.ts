import { type Place, places } from "./places.ts";

/** A stretch that the line sails, with its length on the usual route. */
export interface Lane {
  readonly from: Place;
  readonly to: Place;
  readonly nauticalMiles: number;
  /** The line's name of the service, at most five characters. */
  readonly service: string;
  /** The letter behind a voyage number: the direction that the ship is sailing. */
  readonly direction: "N" | "E" | "S" | "W";
}

function lane(from: Place, to: Place, nauticalMiles: number, service: string, direction: Lane["direction"]): Lane {
  return { from, to, nauticalMiles, service, direction };
}

/** Long enough to be a voyage, short enough that all of it can be watched in half an hour at the usual scale. */
export const directLanes = [
  lane(places.shanghai, places.losAngeles, 5_720, "SBP1", "E"),
  lane(places.yantian, places.longBeach, 6_360, "SBP2", "E"),
  lane(places.busan, places.oakland, 4_950, "SBP3", "E"),
  lane(places.nhavaSheva, places.rotterdam, 6_350, "SBE2", "W"),
  lane(places.santos, places.antwerp, 5_450, "SBS1", "N"),
] as const;

/** Two stretches that meet at a hub. */
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

/** Three stretches at sea, with the barge that feeds the first. */
export const feederRoute = {
  barge: lane(places.guangzhou, places.yantian, 70, "SBB1", "S"),
  sea: [
    lane(places.yantian, places.singapore, 1_450, "SBA3", "S"),
    lane(places.singapore, places.colombo, 1_570, "SBI1", "W"),
    lane(places.colombo, places.nhavaSheva, 890, "SBI2", "N"),
  ],
} as const;

/** A port of discharge with the railway behind it. */
export const railRoutes = [
  { sea: lane(places.shanghai, places.losAngeles, 5_720, "SBP1", "E"), ramp: places.chicago, railDays: 4.5 },
  { sea: lane(places.nhavaSheva, places.rotterdam, 6_350, "SBE2", "W"), ramp: places.duisburg, railDays: 1.2 },
] as const;

/** A port of discharge and the port next in the rotation, where boxes go when the first is left out. */
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
