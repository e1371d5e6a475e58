import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { type InferableCarrier, inferNumber } from "./infer-number.ts";

const file = new URL("../../../persistence/data/shipping-lines.json", import.meta.url);
const lines = JSON.parse(readFileSync(file, "utf8")) as readonly InferableCarrier[];
const infer = (text: string) => inferNumber(text, lines);

describe("number inference", () => {
  test.each([
    ["MAEU123456789", "MAEU", 0.98],
    ["maeu 123 456 789", "MAEU", 0.98],
    ["MSCUAB123456", "MSCU", 0.98],
    ["HLCUSHA2101ABCDE", "HLCU", 0.98],
    ["ONEYTYOC12345678", "ONEY", 0.98],
    ["MEDUAB123456", "MSCU", 0.96],
    ["CCLU1234567890", "COSU", 0.96],
    ["SBXLSBXDIR000123", "SBXL", 0.98],
    ["TEST-TR-SUCCEEDED", "TEST", 0.98],
  ])("%s starts with a SCAC and is selected", (text, scac, confidence) => {
    const { decision, selected, numberType } = infer(text);
    expect({ decision, scac: selected?.scac, confidence: selected?.confidence, numberType }).toEqual({
      decision: "auto_select",
      scac,
      confidence,
      numberType: "bill_of_lading",
    });
  });

  test.each([
    ["123456789", "MAEU"],
    ["123456789012", "EGLV"],
    ["E123456789", "YMJA"],
    ["SBXDIR000123", "SBXL"],
  ])("%s has a shape of exactly one line and must be confirmed", (text, scac) => {
    expect(infer(text)).toMatchObject({ decision: "needs_confirmation", selected: { scac, confidence: 0.85 } });
  });

  test("a shape shared by several lines selects none of them", () => {
    const { decision, selected, candidates } = infer("ABC1234567");
    expect({ decision, selected }).toEqual({ decision: "no_prediction", selected: null });
    expect(candidates.map(({ scac }) => scac)).toEqual(["ANNU", "APLU", "CMDU", "KMTU"]);
    expect(candidates.every(({ confidence }) => confidence < 0.7)).toBe(true);
  });

  test("a line's own container predicts the line, a leased one predicts none", () => {
    expect(infer("MSKU0000006")).toMatchObject({
      numberType: "container",
      decision: "needs_confirmation",
      selected: { scac: "MAEU", confidence: 0.85 },
      validation: { isValid: true, type: "container", checkDigitPassed: true, parsedNumber: "MSKU0000006" },
    });
    expect(infer("TCLU1234568")).toMatchObject({ numberType: "container", decision: "no_prediction", candidates: [] });
  });

  test("a wrong check digit is reported and predicts nothing", () => {
    const inferred = infer("MSKU0000007");
    expect(inferred).toMatchObject({
      decision: "no_prediction",
      validation: { isValid: false, checkDigitPassed: false, type: "container" },
    });
    expect(inferred.validation.reason).not.toBeNull();
  });

  test("a number of unknown shape is neither valid nor invalid", () => {
    expect(infer("XX-12345-HOUSE").validation).toMatchObject({ isValid: null, type: "shipment" });
    expect(infer("!").validation).toMatchObject({ isValid: false });
  });

  test("proposes a line of unknown shapes when the number starts with its SCAC", () => {
    expect(infer("PCIU12345678")).toMatchObject({ decision: "needs_confirmation", selected: { scac: "PCIU" } });
  });

  test("confidences are between 0 and 1 and descending", () => {
    for (const text of ["ABC1234567", "1234567890", "ABCD12345678", "MAEU123456789", "APLU1234567"]) {
      const confidences = infer(text).candidates.map(({ confidence }) => confidence);
      expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
      expect(confidences.every((confidence) => confidence > 0 && confidence <= 1)).toBe(true);
    }
  });
});
