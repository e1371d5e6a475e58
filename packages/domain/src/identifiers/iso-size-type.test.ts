import { describe, expect, test } from "@jest/globals";
import { decodeSizeType } from "./iso-size-type.ts";

describe("ISO 6346 size-type codes", () => {
  test.each([
    ["22G1", { type: "dry", length: 20, height: "standard" }],
    ["42G1", { type: "dry", length: 40, height: "standard" }],
    ["45G1", { type: "dry", length: 40, height: "high_cube" }],
    ["45GP", { type: "dry", length: 40, height: "high_cube" }],
    ["45R1", { type: "reefer", length: 40, height: "high_cube" }],
    ["22U1", { type: "open top", length: 20, height: "standard" }],
    ["42P1", { type: "flat rack", length: 40, height: "standard" }],
    ["22T6", { type: "tank", length: 20, height: "standard" }],
    ["22B0", { type: "bulk", length: 20, height: "standard" }],
    ["L5G1", { type: "dry", length: 45, height: "high_cube" }],
    ["LEG1", { type: "dry", length: 45, height: "high_cube" }],
    ["10G1", { type: "dry", length: 10, height: "standard" }],
    ["2200", { type: "dry", length: 20, height: "standard" }],
    ["4310", { type: "dry", length: 40, height: "standard" }],
    ["4510", { type: "dry", length: 40, height: "high_cube" }],
    ["4500", { type: "dry", length: 40, height: "high_cube" }],
    ["2220", { type: "bulk", length: 20, height: "standard" }],
    ["4532", { type: "reefer", length: 40, height: "high_cube" }],
    ["2240", { type: "reefer", length: 20, height: "standard" }],
    ["4351", { type: "open top", length: 40, height: "standard" }],
    ["4363", { type: "flat rack", length: 40, height: "standard" }],
    ["2270", { type: "tank", length: 20, height: "standard" }],
    ["2080", { type: "bulk", length: 20, height: "standard" }],
    [" 45g1 ", { type: "dry", length: 40, height: "high_cube" }],
  ])("%s", (code, equipment) => expect(decodeSizeType(code)).toEqual(equipment));

  test("unknown parts are null", () => {
    expect(decodeSizeType("MXX9")).toEqual({ type: null, length: null, height: null });
    expect(decodeSizeType("")).toEqual({ type: null, length: null, height: null });
  });
});
