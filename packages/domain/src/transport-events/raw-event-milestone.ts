import type { Instant } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import type { TransportEventName } from "./transport-event.ts";

/** Ends of a container's voyage (UN/LOCODEs), and the departure of the vessel. Null: unknown. */
export interface VoyageEnds {
  readonly portOfLading: string | null;
  readonly portOfDischarge: string | null;
  readonly destination: string | null;
  readonly departureAt: Instant | null;
}

type Fact = Pick<Observation, "eventType" | "code" | "eventAt" | "isEmpty" | "place" | "call">;

const moves = { LOAD: "loaded", DEPA: "departed", ARRI: "arrived", DISC: "discharged" } as const;
const railMoves = { LOAD: "rail_loaded", DEPA: "rail_departed", ARRI: "rail_arrived", DISC: "rail_unloaded" } as const;
const departures = { LOAD: "vessel_loaded", DEPA: "vessel_departed" } as const;
const arrivals = { ARRI: "vessel_arrived", DISC: "vessel_discharged" } as const;
type MoveCode = keyof typeof moves;
const isMove = (code: string): code is MoveCode => Object.hasOwn(moves, code);

/**
 * The milestone that a raw event corresponds to, from the ends of the voyage; null: none. Used for planned and
 * estimated events and for those replaced by another report of the same milestone; the timeline itself is derived.
 */
export function correspondingMilestone(fact: Fact, ends: VoyageEnds): TransportEventName | null {
  if (fact.code === "GTIN" || fact.code === "GTOT") return gateMove(fact, ends);
  if (!isMove(fact.code) || fact.place.locode === null) return null;
  const mode = fact.call?.mode ?? null;
  if (mode === "TRUCK") return null;
  if (mode === "RAIL") return railMove(fact.code, fact, ends);
  return mode === "BARGE" ? `feeder_${moves[fact.code]}` : vesselMove(fact.code, fact.place.locode, ends);
}

function vesselMove(
  code: MoveCode,
  locode: string,
  { portOfLading, portOfDischarge }: VoyageEnds,
): TransportEventName | null {
  const isDeparture = code === "LOAD" || code === "DEPA";
  if (locode === portOfLading) return isDeparture ? departures[code] : null;
  if (locode === portOfDischarge) return isDeparture ? null : arrivals[code];
  return portOfLading === null || portOfDischarge === null ? null : `transshipment_${moves[code]}`;
}

/** Rail moves to the port of lading are not milestones. */
function railMove(code: MoveCode, fact: Fact, ends: VoyageEnds): TransportEventName | null {
  const isAfterSea =
    fact.place.locode !== ends.portOfLading && (ends.departureAt === null || fact.eventAt > ends.departureAt);
  if (!isAfterSea) return null;
  return railMoves[code];
}

function gateMove({ code, isEmpty, place, eventAt }: Fact, ends: VoyageEnds): TransportEventName | null {
  const isBefore = ends.departureAt !== null && eventAt < ends.departureAt;
  if (code === "GTOT") {
    if (isEmpty === true) return isBefore ? "empty_out" : null;
    const isEnd = place.locode !== null && [ends.portOfDischarge, ends.destination].includes(place.locode);
    return isEnd && !isBefore ? "full_out" : null;
  }
  if (isEmpty === true) return isBefore ? null : "empty_in";
  return isBefore && place.locode === ends.portOfLading ? "full_in" : null;
}
