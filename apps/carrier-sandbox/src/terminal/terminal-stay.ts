import { hourMs } from "@svc/domain";
import type { Fact } from "../voyage/fact.ts";
import type { Container, Shipment } from "../voyage/shipment.ts";
import { type Place, placeByLocode } from "../world/places.ts";

/** The time of a container at a terminal, from arrival by vessel or train to pickup. Simulated epoch milliseconds. */
export interface TerminalStay {
  readonly place: Place;
  readonly facilityCode: string | null;
  readonly isInland: boolean;
  readonly listedAt: number;
  readonly arrivedAt: number;
  readonly unloadedAt: number;
  /** Time at which a truck picks it up; null when it is not picked up, or leaves by train. */
  readonly takenOutAt: number | null;
  readonly leavesByTrain: boolean;
}

const listedBeforeArrivalMs = 20 * hourMs;
/** The stays that terminals list at a time: they list a container some hours before its vessel arrives. */
export function terminalStays(facts: readonly Fact[], container: Container, now: number): readonly TerminalStay[] {
  const own = facts.filter(({ containers, withdrawnAt, event }) => {
    return containers.includes(container.number) && withdrawnAt === null && event.eventClassifierCode === "ACT";
  });
  const moves = own.flatMap((fact) => moveOf(fact) ?? []).toSorted((a, b) => a.at - b.at);
  const stays = moves.flatMap((move, index) =>
    move.code === "ARRI" ? (stayAt(move, moves.slice(index + 1)) ?? []) : [],
  );
  const listed = stays.filter(({ listedAt }) => listedAt <= now);
  // A container that is loaded for another shipment has later stays at other terminals.
  const lastPort = listed.findLastIndex(({ isInland }) => !isInland);
  return lastPort < 0 ? [] : listed.slice(lastPort);
}

interface Move {
  readonly code: string;
  readonly mode: string;
  readonly locode: string;
  readonly at: number;
  readonly isLaden: boolean;
  readonly facilityCode: string | null;
}

function moveOf({ event, at }: Fact): Move | null {
  if (event.eventType === "SHIPMENT") return null;
  const { transportCall } = event;
  const code = event.eventType === "TRANSPORT" ? event.transportEventTypeCode : event.equipmentEventTypeCode;
  return {
    code,
    mode: transportCall?.modeOfTransport ?? "",
    locode: transportCall?.UNLocationCode ?? "",
    at,
    isLaden: event.eventType === "EQUIPMENT" && event.emptyIndicatorCode === "LADEN",
    facilityCode: transportCall?.facilityCode ?? null,
  };
}

/** Null when the container arrives by barge, is transshipped here, or is never discharged. */
function stayAt({ mode, locode, at, facilityCode }: Move, later: readonly Move[]): TerminalStay | null {
  const place = placeByLocode.get(locode);
  const here = later.filter((move) => move.locode === locode);
  const unloaded = here.find(({ code, mode: by }) => code === "DISC" && by === mode);
  const isTransshipped = here.some(({ code, mode: by }) => code === "LOAD" && (by === "VESSEL" || by === "BARGE"));
  if (place === undefined || unloaded === undefined || isTransshipped || mode === "BARGE") return null;
  const gateOut = here.find((move) => move.code === "GTOT" && move.isLaden);
  return {
    place,
    facilityCode,
    isInland: mode === "RAIL",
    listedAt: at - listedBeforeArrivalMs,
    arrivedAt: at,
    unloadedAt: unloaded.at,
    takenOutAt: gateOut?.at ?? null,
    leavesByTrain: mode !== "RAIL" && here.some(({ code, mode: by }) => code === "LOAD" && by === "RAIL"),
  };
}

export function isFirstContainer({ containers }: Shipment, container: Container): boolean {
  return containers[0].number === container.number;
}
