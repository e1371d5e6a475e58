import { localDateTime } from "../dcsa/local-time.ts";
import { stableUuid } from "../random.ts";
import type { Voyage } from "../sandbox-line.ts";
import { dayMs, hourMs } from "../voyage/journey.ts";
import type { Container } from "../voyage/shipment.ts";
import { isFirstBox, type TerminalStay, terminalStays } from "./terminal-stay.ts";
import type { TerminalStory } from "./terminal-story.ts";

/** Something that the terminal says from a moment on, until it says something else of the same kind. */
interface Saying<T> {
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
/** The last day that a bill is made for: nobody waits for ever. */
const billedDays = 60;

/** What the terminals answer about a container at a moment; null: none has it or expects it within a day. */
export function terminalReport(voyage: Voyage, box: Container, now: number): object | null {
  const stays = terminalStays(voyage.facts, box, now);
  if (stays.length === 0) return null;
  return { containerNumber: box.number, visits: stays.map((stay) => visitOf(voyage, box, stay, now)) };
}

function visitOf({ shipment, scenario }: Voyage, box: Container, stay: TerminalStay, now: number): object {
  const story = stay.isInland ? undefined : scenario.terminal;
  const chance = (purpose: string, min: number, max: number) =>
    shipment.chance.between(`terminal/${box.number}/${stay.place.locode}/${purpose}`, min, max);
  const held = holdsOf(story, stay, isFirstBox(shipment, box));
  const readyAt = stay.unloadedAt + chance("ready", 6, 12) * hourMs;
  const lastFreeDays = lastFreeDaysOf(story, stay);
  const appointmentAt = stay.takenOutAt === null ? null : stay.takenOutAt - hourMs;
  return {
    facility: facilityOf(stay),
    holds: told(held, now, (list) => ({ list })),
    fees: told(feesOf(story, stay, lastFreeDays, now), now, (list) => ({ list })),
    ...(stay.leavesByTrain ? {} : pickupOf()),
    yardLocation: told(
      [
        { at: stay.unloadedAt, value: `${letter(chance("row", 0, 26))}${Math.floor(chance("bay", 10, 99))}` },
        ...(stay.takenOutAt === null ? [] : [{ at: stay.takenOutAt, value: null }]),
      ],
      now,
      (text) => ({ text }),
    ),
    vesselBerthed: stay.isInland
      ? undefined
      : told([{ at: stay.arrivedAt + 3 * hourMs, value: stay.arrivedAt + 3 * hourMs }], now, (at) => ({ at: utc(at) })),
    gateMoves: gateMovesOf(box, stay, now),
  };

  function pickupOf(): object {
    return {
      availability: told(availabilityOf(stay, readyAt, held), now, (isAvailable) => ({ isAvailable })),
      lastFreeDay: told(lastFreeDays, now, (at) => ({ day: dayOf(at, stay) })),
      lineLastFreeDay: stay.isInland
        ? undefined
        : told([{ at: stay.unloadedAt, value: stay.unloadedAt + (freeDays + 3) * dayMs }], now, (at) => ({
            day: dayOf(at, stay),
          })),
      appointment:
        appointmentAt === null
          ? undefined
          : told([{ at: Math.min(readyAt + 4 * hourMs, appointmentAt), value: appointmentAt }], now, (at) => ({
              at: utc(at),
            })),
    };
  }
}

/** The last of what was said until now, with since when; undefined: nothing yet. */
function told<T>(sayings: readonly Saying<T>[], now: number, form: (value: T) => object): object | undefined {
  const last = sayings
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  return last === undefined ? undefined : { since: utc(last.at), ...form(last.value) };
}

function holdsOf(
  story: TerminalStory | undefined,
  stay: TerminalStay,
  isFirst: boolean,
): readonly Saying<readonly Hold[]>[] {
  const none = { at: stay.listedAt, value: [] };
  const hold = (name: string, description: string, from: number, until: number) => [
    none,
    { at: from, value: [{ name, status: "hold", description } as const] },
    { at: until, value: [] },
  ];
  if (story === "customs_hold" && isFirst) {
    return hold(
      "customs",
      "CUSTOMS EXAM - HOLD",
      stay.unloadedAt + 21 * hourMs,
      stay.unloadedAt + 8 * dayMs + 22 * hourMs,
    );
  }
  if (story === "freight_hold") {
    return hold("freight", "LINE RELEASE REQUIRED", stay.listedAt, stay.unloadedAt + 2 * dayMs);
  }
  return [none];
}

/** Available: ready, not held, and not picked up yet. */
function availabilityOf(
  stay: TerminalStay,
  readyAt: number,
  holds: readonly Saying<readonly Hold[]>[],
): readonly Saying<boolean>[] {
  const turns = [
    stay.listedAt,
    readyAt,
    ...holds.map(({ at }) => at),
    ...(stay.takenOutAt === null ? [] : [stay.takenOutAt]),
  ];
  return [...new Set(turns)]
    .map((at) => {
      const held = holds.findLast((saying) => saying.at <= at)?.value ?? [];
      const isThere = at >= readyAt && (stay.takenOutAt === null || at < stay.takenOutAt);
      return { at, value: isThere && held.length === 0 };
    })
    .toSorted((a, b) => a.at - b.at)
    .filter(({ value }, index, all) => index === 0 || value !== all[index - 1]?.value);
}

function lastFreeDaysOf(
  story: TerminalStory | undefined,
  { unloadedAt, isInland }: TerminalStay,
): readonly Saying<number>[] {
  const first = { at: unloadedAt, value: unloadedAt + (isInland ? freeDays - 2 : freeDays) * dayMs };
  if (story !== "last_free_day_moved") return [first];
  return [first, { at: unloadedAt + 1.5 * dayMs, value: first.value + 3 * dayMs }];
}

/** Demurrage for every day in the yard after the last free day, and the fee of a customs inspection. */
function feesOf(
  story: TerminalStory | undefined,
  stay: TerminalStay,
  lastFreeDays: readonly Saying<number>[],
  now: number,
): readonly Saying<readonly object[]>[] {
  const freeUntil = (lastFreeDays.at(-1)?.value ?? stay.unloadedAt) + dayMs;
  const until = Math.min(now, stay.takenOutAt ?? now);
  const days = Math.min(billedDays, Math.max(0, Math.ceil((until - freeUntil) / dayMs)));
  const demurrage = Array.from({ length: days }, (_, day) => ({
    at: freeUntil + day * dayMs,
    value: [{ type: "demurrage", amount: demurrageADay * (day + 1), currencyCode: "USD" }],
  }));
  const exam = { type: "exam", amount: 385, currencyCode: "USD" };
  const none = { at: stay.listedAt, value: [] };
  if (story !== "customs_hold") return [none, ...demurrage];
  return [
    none,
    { at: stay.unloadedAt + 2 * dayMs, value: [exam] },
    ...demurrage.map(({ at, value }) => ({ at, value: [exam, ...value] })),
  ];
}

function gateMovesOf(box: Container, { takenOutAt, place }: TerminalStay, now: number): readonly object[] {
  if (takenOutAt === null || takenOutAt > now) return [];
  const minute = Math.floor(takenOutAt / 60_000);
  const at = utc(minute * 60_000);
  const id = stableUuid(`gate-out/${box.number}/${place.locode}/${takenOutAt}`);
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
