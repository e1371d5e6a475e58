import { expect, test } from "@jest/globals";
import { fact, testPlaces } from "../derivation/testing/voyage.ts";
import { connectionAtRisk } from "./connection-at-risk.ts";
import { exceptionCause, exceptionSummary } from "./describe-exception.ts";

const sailed = fact("ACT DEPA", { at: "CNSHA", day: 0, vessel: "A" });
const onward = fact("PLN DEPA", { at: "SGSIN", day: 6, vessel: "B", voyage: "014W" });
const arrives = (day: number, code = "PLN ARRI") => fact(code as "PLN ARRI", { at: "SGSIN", day, vessel: "A" });
const textsOf = (...observations: Parameters<typeof connectionAtRisk>[0]) => {
  const details = connectionAtRisk(observations, testPlaces);
  return (
    details && [
      exceptionSummary({ kind: "connection_at_risk", details }),
      exceptionCause({ kind: "connection_at_risk", details }),
    ]
  );
};

test("a connection of less than 12 hours is at risk, and one with an earlier departure cannot be met", () => {
  expect(textsOf(sailed, arrives(5.75), onward)).toEqual([
    "Connection at risk in Singapore",
    "The container is estimated to arrive in Singapore 6 hours before the planned departure of SBX BRAVO voyage 014W on 7 Jan 2026.",
  ]);
  expect(textsOf(sailed, arrives(6.25, "ACT ARRI"), onward)).toEqual([
    "Connection at risk in Singapore",
    "The container arrived in Singapore 6 hours after the planned departure of SBX BRAVO voyage 014W on 7 Jan 2026. " +
      "The carrier has planned no other vessel yet.",
  ]);
});

test("finds none with enough time, after a reported departure, or on the same vessel", () => {
  expect(textsOf(sailed, arrives(5), onward)).toBeNull();
  const departed = fact("ACT DEPA", { at: "SGSIN", day: 6, vessel: "B", voyage: "014W" });
  expect(textsOf(sailed, arrives(5.75), departed)).toBeNull();
  expect(textsOf(sailed, arrives(5.9), fact("PLN DEPA", { at: "SGSIN", day: 6, vessel: "A" }))).toBeNull();
});

test("a discharge is the arrival where none is reported, also of a vessel without a name", () => {
  const discharged = (vessel: "A" | null) =>
    fact("ACT DISC", { at: "SGSIN", day: 5.75, container: "SBXU0000019", vessel });
  const text =
    "The container arrived in Singapore 6 hours before the planned departure of SBX BRAVO voyage 014W on 7 Jan 2026.";
  expect(textsOf(sailed, arrives(5), discharged("A"), onward)?.[1]).toBe(text);
  expect(textsOf(sailed, discharged(null), onward)?.[1]).toBe(text);
});

test("a vessel without a name may be the one that the container stays on", () => {
  const unnamed = (code: "PLN ARRI" | "PLN DEPA", day: number) => fact(code, { at: "SGSIN", day, vessel: null });
  expect(textsOf(unnamed("PLN ARRI", 5.75), onward)).toBeNull();
  expect(textsOf(sailed, arrives(5.75), unnamed("PLN DEPA", 6))).toBeNull();
});
