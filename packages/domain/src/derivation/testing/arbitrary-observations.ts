import fc from "fast-check";
import type { Observation, PickupReport } from "../../observations/observation.ts";
import { bookingFact, day, fact, pickupFact } from "./voyage.ts";
import {
  directVoyage,
  feederVoyage,
  mainContainer,
  otherContainer,
  railVoyage,
  transshippedVoyage,
} from "./voyages.ts";

const places = ["CNSHA", "CNYSA", "SGSIN", "NLRTM", "USLGB", "USCHI"] as const;
const codes = ["ARRI", "DEPA", "LOAD", "DISC", "GTIN", "GTOT", "PICK", "DROP", "STRP"] as const;

/** Any observation, plausible or not, from so few values that several fall into the same series. */
export const anyObservation: fc.Arbitrary<Observation> = fc
  .record({
    classifier: fc.constantFrom("ACT", "ACT", "EST", "PLN"),
    code: fc.constantFrom(...codes),
    at: fc.constantFrom(...places),
    day: fc.integer({ min: -5, max: 40 }),
    reported: fc.integer({ min: -10, max: 45 }),
    lag: fc.integer({ min: 0, max: 3 }),
    container: fc.constantFrom(mainContainer, mainContainer, otherContainer, null),
    mode: fc.constantFrom("VESSEL", "VESSEL", "RAIL", "BARGE", "TRUCK", null),
    vessel: fc.constantFrom("A", "B", null),
    empty: fc.constantFrom(true, false, null),
    dateOnly: fc.constantFrom(false, false, false, true),
    eventId: fc.constantFrom("m1", "m2", "m3", null, undefined),
    retracted: fc.constantFrom(false, false, false, false, true),
    id: fc.uuid(),
  } as const)
  .map(({ classifier, code, lag, eventId, ...details }) =>
    fact(`${classifier} ${code}`, {
      ...details,
      observed: details.reported + lag,
      ...(eventId === undefined ? {} : { eventId }),
    }),
  );

const anyPickup: fc.Arbitrary<PickupReport> = fc.oneof(
  fc.record({ aspect: fc.constant("availability" as const), isAvailable: fc.boolean() }),
  fc.record({
    aspect: fc.constant("holds" as const),
    holds: fc.subarray([{ name: "customs", status: "hold" as const, description: null }]),
  }),
  fc.record({
    aspect: fc.constant("last_free_day" as const),
    setBy: fc.constantFrom("line" as const, "terminal" as const, "rail" as const),
    lastFreeDayAt: fc.constantFrom(day(35), day(36), null),
  }),
);

/** Any report of a terminal, at a place of the voyage or elsewhere. */
const anyTerminalReport: fc.Arbitrary<Observation> = fc
  .tuple(anyPickup, fc.record({ at: fc.constantFrom(...places), day: fc.integer({ min: 20, max: 45 }), id: fc.uuid() }))
  .map(([pickup, details]) => pickupFact(pickup, details));

/** One gate move reported twice: as a date, with a corrected time, or by the carrier and the terminal. */
const anyRepeatedGateMove: fc.Arbitrary<readonly Observation[]> = fc
  .record({
    code: fc.constantFrom("GTIN", "GTOT", "GTOT", "PICK"),
    at: fc.constantFrom(...places),
    container: fc.constantFrom(mainContainer, mainContainer, null),
    mode: fc.constantFrom("RAIL", "RAIL", "TRUCK", null),
    empty: fc.constantFrom(true, false, false),
    day: fc.integer({ min: -5, max: 40 }),
    firstHours: fc.integer({ min: 0, max: 23 }),
    secondHours: fc.integer({ min: 0, max: 40 }),
    isFirstDateOnly: fc.boolean(),
    ids: fc.tuple(fc.uuid(), fc.uuid()),
  } as const)
  .map(({ code, day: onDay, firstHours, secondHours, isFirstDateOnly, ids: [first, second], ...move }) => [
    fact(`ACT ${code}`, {
      ...move,
      id: first,
      day: isFirstDateOnly ? onDay : onDay + firstHours / 24,
      dateOnly: isFirstDateOnly,
    }),
    fact(`ACT ${code}`, { ...move, id: second, day: onDay + secondHours / 24, dataSource: "terminal" }),
  ]);

const anyVoyage = fc.constantFrom(directVoyage, transshippedVoyage, feederVoyage, railVoyage);

/** A subset of a voyage of one or two containers, mixed with random observations. */
export const anyHistory: fc.Arbitrary<readonly Observation[]> = fc
  .tuple(
    anyVoyage,
    anyVoyage,
    fc.array(fc.oneof({ weight: 3, arbitrary: anyObservation }, anyTerminalReport), { maxLength: 25 }),
    fc.array(anyRepeatedGateMove, { maxLength: 4 }),
    fc.boolean(),
    fc.boolean(),
  )
  .chain(([first, second, noise, repeated, hasSecond, isCancelled]) => {
    const observations = [
      ...first(mainContainer),
      ...(hasSecond ? second(otherContainer) : []),
      ...noise,
      ...repeated.flat(),
      ...(isCancelled ? [bookingFact("CONF", -12), bookingFact("CANC", -3)] : []),
    ];
    return fc.subarray(observations);
  });

export function shuffled<T>(items: readonly T[]): fc.Arbitrary<readonly T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}
