import { dayMs, hourMs } from "@svc/domain";
import { localDateTime } from "../dcsa/local-time.ts";
import { stableUuid } from "../random.ts";
import type { Voyage } from "../sandbox-carrier.ts";
import type { TerminalScenario } from "../scenarios/scenario.ts";
import type { Container } from "../voyage/shipment.ts";
import { isFirstContainer, type TerminalStay, terminalStays } from "./terminal-stay.ts";

/** A value that the terminal reports from a time on, until a later change of the same property. */
interface Change<T> {
  readonly at: number;
  readonly value: T;
}

interface Hold {
  readonly name: string;
  readonly status: "hold";
  readonly description: string;
}

const freeDays = 4;
const demurrageADay = 150;
/** Bounds the list of fees of a container that is never picked up. */
const billedDaysMax = 60;

/** The terminals' report of a container at a time; null when no terminal lists it yet. */
export function terminalReport(voyage: Voyage, container: Container, now: number): object | null {
  const stays = terminalStays(voyage.facts, container, now);
  if (stays.length === 0) return null;
  return { containerNumber: container.number, visits: stays.map((stay) => visitOf(voyage, container, stay, now)) };
}

function visitOf(voyage: Voyage, container: Container, stay: TerminalStay, now: number): object {
  const { shipment } = voyage;
  const scenario = stay.isInland ? undefined : voyage.scenario.terminal;
  const chance = (purpose: string, min: number, max: number) =>
    shipment.chance.between(`terminal/${container.number}/${stay.place.locode}/${purpose}`, min, max);
  const holdChanges = holdsOf(scenario, stay, isFirstContainer(shipment, container));
  const readyAt = stay.unloadedAt + chance("ready", 6, 12) * hourMs;
  const lastFreeDays = lastFreeDaysOf(scenario, stay);
  const appointmentAt = stay.takenOutAt === null ? null : stay.takenOutAt - hourMs;
  return {
    facility: facilityOf(stay),
    holds: latestChange(holdChanges, now, (list) => ({ list })),
    fees: latestChange(feesOf(scenario, stay, lastFreeDays, now), now, (list) => ({ list })),
    ...(stay.leavesByTrain ? {} : pickupAttributes()),
    yardLocation: latestChange(
      [
        { at: stay.unloadedAt, value: `${letter(chance("row", 0, 26))}${Math.floor(chance("bay", 10, 99))}` },
        ...(stay.takenOutAt === null ? [] : [{ at: stay.takenOutAt, value: null }]),
      ],
      now,
      (text) => ({ text }),
    ),
    vesselBerthed: stay.isInland
      ? undefined
      : latestChange([{ at: stay.arrivedAt + 3 * hourMs, value: stay.arrivedAt + 3 * hourMs }], now, (at) => ({
          at: utc(at),
        })),
    gateMoves: gateMovesOf(container, stay, now),
  };

  function pickupAttributes(): object {
    return {
      availability: latestChange(availabilityOf(stay, readyAt, holdChanges), now, (isAvailable) => ({ isAvailable })),
      lastFreeDay: latestChange(lastFreeDays, now, (at) => ({ day: dayOf(at, stay) })),
      lineLastFreeDay: stay.isInland
        ? undefined
        : latestChange([{ at: stay.unloadedAt, value: stay.unloadedAt + (freeDays + 3) * dayMs }], now, (at) => ({
            day: dayOf(at, stay),
          })),
      appointment:
        appointmentAt === null
          ? undefined
          : latestChange([{ at: Math.min(readyAt + 4 * hourMs, appointmentAt), value: appointmentAt }], now, (at) => ({
              at: utc(at),
            })),
    };
  }
}

/** The latest change until now with its time; undefined when there is none yet. */
function latestChange<T>(changes: readonly Change<T>[], now: number, form: (value: T) => object): object | undefined {
  const last = changes
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  return last === undefined ? undefined : { since: utc(last.at), ...form(last.value) };
}

function holdsOf(
  scenario: TerminalScenario | undefined,
  stay: TerminalStay,
  isFirst: boolean,
): readonly Change<readonly Hold[]>[] {
  const none = { at: stay.listedAt, value: [] };
  const hold = (name: string, description: string, from: number, until: number) => [
    none,
    { at: from, value: [{ name, status: "hold", description } as const] },
    { at: until, value: [] },
  ];
  if (scenario === "customs_hold" && isFirst) {
    return hold(
      "customs",
      "CUSTOMS EXAM - HOLD",
      stay.unloadedAt + 21 * hourMs,
      stay.unloadedAt + 8 * dayMs + 22 * hourMs,
    );
  }
  if (scenario === "freight_hold") {
    return hold("freight", "LINE RELEASE REQUIRED", stay.listedAt, stay.unloadedAt + 2 * dayMs);
  }
  return [none];
}

/** Available: ready, not held, and not picked up yet. */
function availabilityOf(
  stay: TerminalStay,
  readyAt: number,
  holds: readonly Change<readonly Hold[]>[],
): readonly Change<boolean>[] {
  const changeTimes = [
    stay.listedAt,
    readyAt,
    ...holds.map(({ at }) => at),
    ...(stay.takenOutAt === null ? [] : [stay.takenOutAt]),
  ];
  return [...new Set(changeTimes)]
    .map((at) => {
      const activeHolds = holds.findLast((change) => change.at <= at)?.value ?? [];
      const isInYard = at >= readyAt && (stay.takenOutAt === null || at < stay.takenOutAt);
      return { at, value: isInYard && activeHolds.length === 0 };
    })
    .toSorted((a, b) => a.at - b.at)
    .filter(({ value }, index, all) => index === 0 || value !== all[index - 1]?.value);
}

function lastFreeDaysOf(
  scenario: TerminalScenario | undefined,
  { unloadedAt, isInland }: TerminalStay,
): readonly Change<number>[] {
  const first = { at: unloadedAt, value: unloadedAt + (isInland ? freeDays - 2 : freeDays) * dayMs };
  if (scenario !== "last_free_day_moved") return [first];
  return [first, { at: unloadedAt + 1.5 * dayMs, value: first.value + 3 * dayMs }];
}

/** Demurrage for every day in the yard after the last free day, and the fee of a customs inspection. */
function feesOf(
  scenario: TerminalScenario | undefined,
  stay: TerminalStay,
  lastFreeDays: readonly Change<number>[],
  now: number,
): readonly Change<readonly object[]>[] {
  const freeUntil = (lastFreeDays.at(-1)?.value ?? stay.unloadedAt) + dayMs;
  const until = Math.min(now, stay.takenOutAt ?? now);
  const days = Math.min(billedDaysMax, Math.max(0, Math.ceil((until - freeUntil) / dayMs)));
  const demurrage = Array.from({ length: days }, (_, day) => ({
    at: freeUntil + day * dayMs,
    value: [{ type: "demurrage", amount: demurrageADay * (day + 1), currencyCode: "USD" }],
  }));
  const exam = { type: "exam", amount: 385, currencyCode: "USD" };
  const none = { at: stay.listedAt, value: [] };
  if (scenario !== "customs_hold") return [none, ...demurrage];
  return [
    none,
    { at: stay.unloadedAt + 2 * dayMs, value: [exam] },
    ...demurrage.map(({ at, value }) => ({ at, value: [exam, ...value] })),
  ];
}

function gateMovesOf(container: Container, { takenOutAt, place }: TerminalStay, now: number): readonly object[] {
  if (takenOutAt === null || takenOutAt > now) return [];
  const minute = Math.floor(takenOutAt / 60_000);
  const at = utc(minute * 60_000);
  const id = stableUuid(`gate-out/${container.number}/${place.locode}/${takenOutAt}`);
  const chassisNumber = `SBXZ${String(minute % 1_000_000).padStart(6, "0")}`;
  return [{ id, direction: "out", at, since: at, isEmpty: false, mode: "TRUCK", chassisNumber }];
}

function facilityOf({ place, facilityCode, isInland }: TerminalStay): object {
  return {
    UNLocationCode: place.locode,
    facilityCode,
    facilityCodeListProvider: "SMDG",
    facilityTypeCode: isInland ? "RAMP" : "POTE",
    name: place.name,
    timeZone: place.timeZone,
  };
}

function dayOf(at: number, { place }: TerminalStay): string {
  return localDateTime(at, place.timeZone).slice(0, 10);
}

function utc(at: number): string {
  return new Date(at).toISOString();
}

function letter(index: number): string {
  return String.fromCharCode(65 + Math.floor(index));
}
