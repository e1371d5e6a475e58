import { describe, expect, test } from "@jest/globals";
import { fact, testPlaces } from "../derivation/testing/voyage.ts";
import type { Observation } from "../observations/observation.ts";
import { exceptionCause, exceptionSummary } from "./describe-exception.ts";
import { voyageChange } from "./voyage-changes.ts";

const containerNumber = "SBXU0000019";
const departs = { at: "CNSHA", day: 0, vessel: "A", voyage: "001E" } as const;
/** The carrier no longer reports the first plan, and reports another vessel a week later. */
const rolled = [
  fact("PLN DEPA", { ...departs, reported: -10, eventId: null }),
  fact("PLN DEPA", { ...departs, reported: -2, eventId: null, retracted: true }),
  fact("PLN DEPA", { at: "CNSHA", day: 7, vessel: "B", voyage: "002E", reported: -2 }),
];
const hub = [
  fact("ACT DEPA", { at: "CNSHA", day: 0, vessel: "A" }),
  fact("PLN ARRI", { at: "SGSIN", day: 5, vessel: "A" }),
  fact("PLN DEPA", { at: "SGSIN", day: 6, vessel: "B", voyage: "014W", eventId: null }),
];
const missed = [
  ...hub,
  fact("ACT ARRI", { at: "SGSIN", day: 7, vessel: "A" }),
  fact("PLN DEPA", { at: "SGSIN", day: 6, vessel: "B", voyage: "014W", reported: 7, eventId: null, retracted: true }),
  fact("PLN DEPA", { at: "SGSIN", day: 12, vessel: "C", voyage: "015W", reported: 7 }),
];

const found = (observations: readonly Observation[]) => voyageChange(observations, testPlaces);
const texts = (observations: readonly Observation[]) => {
  const change = found(observations);
  return change && [exceptionSummary(change), exceptionCause(change)];
};

describe("a changed voyage", () => {
  test("before the container has sailed is a rollover, with both vessels", () => {
    expect(found(rolled)?.kind).toBe("rollover");
    expect(texts(rolled)).toEqual([
      "Rolled over in Shanghai",
      "The carrier no longer plans SBX ALPHA voyage 001E on 1 Jan 2026. Now planned: SBX BRAVO voyage 002E on 8 Jan 2026.",
    ]);
  });

  test("after it has sailed is a missed transshipment; the late arrival is its cause", () => {
    expect(found(missed)?.kind).toBe("missed_transshipment");
    expect(texts(missed)).toEqual([
      "Missed transshipment in Singapore",
      "The container arrived in Singapore 24 hours after the planned departure of SBX BRAVO voyage 014W on 7 Jan 2026. " +
        "Now planned: SBX CHARLIE voyage 015W on 13 Jan 2026.",
    ]);
  });

  test("is a missed transshipment as soon as the plan is withdrawn that the container arrived too late for", () => {
    const withdrawn = missed.slice(0, -1);
    expect(texts(withdrawn)).toEqual([
      "Missed transshipment in Singapore",
      "The container arrived in Singapore 24 hours after the planned departure of SBX BRAVO voyage 014W on 7 Jan 2026. " +
        "No other vessel is planned yet.",
    ]);
    const reportedBeside = missed.filter(({ retracted }) => !retracted);
    expect(texts(reportedBeside)?.[1]).toContain("Now planned: SBX CHARLIE voyage 015W on 13 Jan 2026.");
    expect(found(reportedBeside.slice(0, -1))).toBeNull();
    const inTime = fact("ACT ARRI", { at: "SGSIN", day: 5, vessel: "A" });
    expect(found([...hub, inTime, ...withdrawn.slice(-1)])).toBeNull();
  });

  test("ends when the container is loaded or the vessel departs", () => {
    expect(
      found([...rolled, fact("ACT LOAD", { at: "CNSHA", day: 7, vessel: "B", container: containerNumber })]),
    ).toBeNull();
    expect(found([...missed, fact("ACT DEPA", { at: "SGSIN", day: 12, vessel: "C" })])).toBeNull();
  });

  test("ends with a departure that names no vessel", () => {
    expect(found([...missed, fact("ACT DEPA", { at: "SGSIN", day: 12, vessel: null })])).toBeNull();
    expect(found([...rolled, fact("ACT DEPA", { at: "CNSHA", day: 7, vessel: null })])).toBeNull();
  });

  test("is a missed transshipment where only the discharge is reported, with its time as the arrival", () => {
    const discharged = fact("ACT DISC", { at: "SGSIN", day: 7, container: containerNumber, vessel: "A" });
    const withoutArrival = missed.filter(({ code, classifier }) => code !== "ARRI" || classifier !== "ACT");
    for (const reports of [withoutArrival, withoutArrival.filter(({ classifier }) => classifier !== "ACT")]) {
      expect(found([...reports, discharged])?.kind).toBe("missed_transshipment");
      expect(texts([...reports, discharged])?.[1]).toMatch(/^The container arrived in Singapore 24 hours after/);
    }
  });

  test("another date of the same voyage is none, nor are two vessels that both hold", () => {
    const [plan, retraction] = rolled;
    const moved = fact("PLN DEPA", { ...departs, day: 2, reported: -2, eventId: null });
    expect(found([plan, retraction, moved].filter((one) => one !== undefined))).toBeNull();
    expect(found([fact("PLN DEPA", departs), fact("PLN DEPA", { ...departs, day: 4, vessel: "B" })])).toBeNull();
  });

  test("at a port where the container stays on board is that of the port before", () => {
    const onBoard = [
      fact("PLN ARRI", { at: "SGSIN", day: 5, vessel: "B" }),
      fact("PLN ARRI", { at: "SGSIN", day: 9, vessel: "C" }),
    ];
    expect(found([...missed.filter(({ code }) => code !== "ARRI"), ...onBoard])).toBeNull();
  });
});
