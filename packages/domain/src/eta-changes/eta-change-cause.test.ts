import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { deriveShipment } from "../derivation/derive-shipment.ts";
import { anyHistory, shuffled } from "../derivation/testing/arbitrary-observations.ts";
import { day, fact, testPlaces } from "../derivation/testing/voyage.ts";
import { mainContainer, otherContainer } from "../derivation/testing/voyages.ts";
import type { Observation } from "../observations/observation.ts";
import { etaChangeCauseText } from "./describe-eta-change.ts";
import { etaChangeCause } from "./eta-change-cause.ts";

const now = 7;
/** Observed at the time of the ETA change. */
const reported = { reported: now, observed: now } as const;

const direct = [
  fact("PLN DEPA", { at: "CNSHA", day: 0, vessel: "A", voyage: "001E" }),
  fact("PLN ARRI", { at: "NLRTM", day: 30, vessel: "A", voyage: "001E" }),
];
const transshipped = [
  fact("ACT DEPA", { at: "CNSHA", day: 0, vessel: "A" }),
  fact("PLN ARRI", { at: "SGSIN", day: 5, vessel: "A" }),
  fact("PLN DEPA", { at: "SGSIN", day: 6, vessel: "B", voyage: "014W" }),
  fact("PLN ARRI", { at: "NLRTM", day: 26, vessel: "B", voyage: "014W" }),
];
const later = fact("EST ARRI", { at: "NLRTM", day: 32, vessel: "A", ...reported });

const causeOf = (observations: readonly Observation[]) => etaChangeCause(observations, testPlaces, day(now));
const textOf = (observations: readonly Observation[]) => {
  const cause = causeOf(observations);
  return cause && [cause.kind, etaChangeCauseText(cause)];
};

describe("the cause of an ETA change", () => {
  test("is a missed transshipment, with the planned departure, the late arrival and the next departure", () => {
    const missed = [
      fact("ACT ARRI", { at: "SGSIN", day: 6.5, vessel: "A", ...reported }),
      fact("PLN DEPA", { at: "SGSIN", day: 12, vessel: "C", voyage: "015W", ...reported }),
      fact("PLN ARRI", { at: "NLRTM", day: 33, vessel: "C", voyage: "015W", ...reported }),
    ];
    expect(textOf([...transshipped, ...missed])).toEqual([
      "missed_transshipment",
      "Missed transshipment in Singapore: the container now sails with SBX CHARLIE voyage 015W on 13 Jan 2026, because " +
        "it arrived 12 hours after the planned departure of SBX BRAVO voyage 014W on 7 Jan 2026.",
    ]);
  });

  test("is a rollover before the container has sailed", () => {
    const rolled = [
      fact("PLN DEPA", { at: "CNSHA", day: 8, vessel: "B", voyage: "002E", ...reported }),
      fact("PLN ARRI", { at: "NLRTM", day: 37, vessel: "B", voyage: "002E", ...reported }),
    ];
    expect(textOf([...direct, ...rolled])).toEqual([
      "rollover",
      "Rolled over in Shanghai from SBX ALPHA voyage 001E on 1 Jan 2026 to SBX BRAVO voyage 002E on 9 Jan 2026.",
    ]);
  });

  test("is a late departure, also one that was reported before the ETA followed", () => {
    const departed = fact("ACT DEPA", { at: "CNSHA", day: 1.5, vessel: "A", reported: 2 });
    const expected = [
      "departure_changed",
      "SBX ALPHA departed from Shanghai on 2 Jan 2026, 36 hours later than planned.",
    ];
    expect(textOf([...direct, { ...departed, observedAt: day(now) }, later])).toEqual(expected);
    expect(textOf([...direct, departed, later])).toEqual(expected);
    const estimated = fact("EST DEPA", { at: "CNSHA", day: 10, vessel: "A", ...reported });
    expect(textOf([...direct, estimated, later])?.[1]).toBe(
      "The departure of SBX ALPHA from Shanghai is now estimated for 11 Jan 2026, 10 days later than before.",
    );
  });

  test("ignores a departure that moved little or in the other direction", () => {
    for (const departedOn of [0.1, -2]) {
      const departed = fact("ACT DEPA", { at: "CNSHA", day: departedOn, vessel: "A", reported: 1 });
      expect(textOf([...direct, departed, later])).toEqual([
        "source_revision",
        "Revised by the shipping line; no other report shows a cause.",
      ]);
    }
  });

  test("is a late arrival at the transshipment port", () => {
    const late = [
      fact("ACT ARRI", { at: "SGSIN", day: 6, vessel: "A", ...reported }),
      fact("EST ARRI", { at: "NLRTM", day: 27, vessel: "B", voyage: "014W", ...reported }),
    ];
    expect(textOf([...transshipped, ...late])).toEqual([
      "arrival_changed",
      "SBX ALPHA arrived in Singapore on 7 Jan 2026, 24 hours later than planned.",
    ]);
  });

  test("is no late arrival for which the next vessel made up by sailing in time", () => {
    const synthetic = [
      fact("ACT ARRI", { at: "SGSIN", day: 6, vessel: "A", ...reported }),
      fact("ACT DEPA", { at: "SGSIN", day: 5.9, vessel: "B", voyage: "014W", ...reported }),
      fact("EST ARRI", { at: "NLRTM", day: 27, vessel: "B", voyage: "014W", ...reported }),
    ];
    expect(causeOf([...transshipped, ...synthetic])?.kind).toBe("source_revision");
  });

  test("is another port of discharge, another transshipment port, or another vessel", () => {
    const [departed, , , planned] = transshipped;
    const base = [departed, planned].flatMap((one) => one ?? []);
    const otherPort = fact("EST ARRI", { at: "USLGB", day: 33, vessel: "A", ...reported });
    const withdrawn = { ...direct[1], id: "w", statedAt: day(now), observedAt: day(now), retracted: true };
    expect(textOf([...direct, withdrawn as Observation, otherPort])).toEqual([
      "port_of_discharge_changed",
      "The port of discharge is now USLGB instead of Rotterdam.",
    ]);
    const onOther = fact("EST ARRI", { at: "NLRTM", day: 32, vessel: "C", ...reported });
    expect(textOf([...base, onOther])).toEqual([
      "vessel_changed",
      "The container now arrives on SBX CHARLIE instead of SBX BRAVO.",
    ]);
    const via = [
      fact("PLN ARRI", { at: "SGSIN", day: 12, vessel: "A", ...reported }),
      fact("PLN DEPA", { at: "SGSIN", day: 13, vessel: "B", ...reported }),
      fact("EST ARRI", { at: "NLRTM", day: 32, vessel: "B", ...reported }),
    ];
    expect(textOf([...direct, ...via])?.[1]).toBe("A transshipment in Singapore was added.");
  });

  test("is the split of the containers over two vessels", () => {
    const loaded = [
      fact("ACT LOAD", { at: "CNSHA", day: 0, vessel: "A", container: mainContainer }),
      fact("ACT LOAD", { at: "CNSHA", day: 0, vessel: "A", container: otherContainer }),
      fact("ACT DEPA", { at: "CNSHA", day: 0, vessel: "A" }),
      fact("PLN ARRI", { at: "NLRTM", day: 30, vessel: "A" }),
    ];
    const second = [
      fact("PLN DISC", { at: "NLRTM", day: 40, vessel: "B", container: otherContainer, ...reported }),
      fact("PLN ARRI", { at: "NLRTM", day: 39, vessel: "B", container: otherContainer, ...reported }),
    ];
    expect(textOf([...loaded, ...second])).toEqual([
      "containers_split",
      "The containers now arrive on different vessels, the last one on SBX BRAVO.",
    ]);
  });

  test("is another source", () => {
    const aisReport: Observation = { ...later, dataSource: "ais" };
    expect(textOf([...direct, aisReport])?.[1]).toBe(
      "The estimate now comes from vessel positions (AIS) instead of the shipping line.",
    );
  });

  test("is null for the first ETA and for an unchanged one", () => {
    expect(causeOf([later])).toBeNull();
    expect(causeOf(direct)).toBeNull();
  });

  test("does not depend on the order or the repetition of the observations, and is known for every change", () => {
    const anyCase = anyHistory.chain((history) => fc.tuple(fc.constant(history), shuffled([...history, ...history])));
    fc.assert(
      fc.property(anyCase, fc.integer({ min: -10, max: 48 }), ([history, other], onDay) => {
        const at = day(onDay);
        const cause = etaChangeCause(history, testPlaces, at);
        expect(etaChangeCause(other, testPlaces, at)).toEqual(cause);
        const [before, after] = [
          history.filter(({ observedAt }) => observedAt < at),
          history.filter(({ observedAt }) => observedAt <= at),
        ].map((known) => deriveShipment(known, testPlaces).attributes.podEtaAt?.value ?? null);
        expect(cause !== null).toBe(before !== null && after !== null && before !== after);
        if (cause !== null) expect(etaChangeCauseText(cause)).toMatch(/^\S.*\.$/);
      }),
    );
  });
});
