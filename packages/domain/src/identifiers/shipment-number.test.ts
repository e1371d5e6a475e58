import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { isLocode } from "./codes.ts";
import { type CarrierNumbering, compactNumber, displayNumber, normalizeShipmentNumber } from "./shipment-number.ts";

const dataFolder = new URL("../../../persistence/data/", import.meta.url);
const readData = <T>(file: string) => JSON.parse(readFileSync(new URL(file, dataFolder), "utf8")) as readonly T[];
const lines = readData<CarrierNumbering>("shipping-lines.json");

function line(scac: string): CarrierNumbering {
  const found = lines.find((one) => one.scac === scac);
  if (found === undefined) throw new Error(`No line ${scac}`);
  return found;
}

describe("normalized_number [spec: shipment.attribute.normalized_number]", () => {
  test.each([
    ["MAEU", "MAEU123456789", "123456789"],
    ["MAEU", "123456789", "123456789"],
    ["MAEU", "SUDU123456789", "123456789"],
    ["MAEU", " maeu 123-456-789 ", "123456789"],
    ["MAEU", "B/L No. MAEU123456789", "123456789"],
    ["MSCU", "MEDUAB123456", "MEDUAB123456"],
    ["HLCU", "HLCUSHA2101ABCDE", "HLCUSHA2101ABCDE"],
    ["CMDU", "CMDUSHZ1234567", "SHZ1234567"],
    ["ONEY", "ONEYSH1AB1234567", "SH1AB1234567"],
    ["ONEY", "ONEYTYOC12345678", "TYOC12345678"],
    ["EGLV", "EGLV123456789012", "123456789012"],
    ["COSU", "CCLU1234567890", "1234567890"],
    ["OOLU", "OOLU1234567890", "1234567890"],
    ["HDMU", "HDMUSHAZ12345678", "SHAZ12345678"],
    ["YMJA", "YMLUE123456789", "E123456789"],
    ["ZIMU", "ZIMUSNH1234567", "ZIMUSNH1234567"],
    ["SMLM", "SMLMSHAA1B2C3D4E", "SHAA1B2C3D4E"],
    ["SBXL", "SBXLSBXDIR000123", "SBXDIR000123"],
    ["SBXL", "SBXDIR000123", "SBXDIR000123"],
    ["TEST", "TEST-TR-SUCCEEDED", "TESTTRSUCCEEDED"],
  ])("%s: %s is normalized to %s", (scac, text, normalized) => {
    expect(normalizeShipmentNumber(text, line(scac))).toBe(normalized);
  });

  test("does not strip letters that belong to the number itself", () => {
    expect(normalizeShipmentNumber("HDMU1234567", line("HDMU"))).toBe("HDMU1234567");
  });
  test("a number without a known shape is not changed", () => {
    expect(normalizeShipmentNumber("MAEU12", line("MAEU"))).toBe("MAEU12");
    expect(normalizeShipmentNumber("PCIU12345678", line("PCIU"))).toBe("PCIU12345678");
  });
  test("normalization is idempotent", () => {
    for (const one of lines) {
      const normalized = normalizeShipmentNumber(`${one.scac}123456789`, one);
      expect(normalizeShipmentNumber(normalized, one)).toBe(normalized);
    }
  });
});

describe("compact numbers", () => {
  test.each([
    ["MBL: abc/123.456", "ABC123456"],
    ["BKG 99887766", "99887766"],
    ["BLUE1234", "BLUE1234"],
    ["ＡＢＣ１２３", "ABC123"],
    ["#12 34_56", "123456"],
  ])("%j is %s", (text, compact) => expect(compactNumber(text)).toBe(compact));
});

describe("the reference data", () => {
  test("every line has SCACs and patterns that compile", () => {
    for (const { scac, alternativeScacs, billOfLadingPatterns } of lines) {
      for (const code of [scac, ...alternativeScacs]) expect(code).toMatch(/^[A-Z]{2,4}$/);
      for (const pattern of billOfLadingPatterns) expect(() => new RegExp(pattern)).not.toThrow();
    }
  });
  test("every port and alias is a UN/LOCODE", () => {
    for (const { locode, aliases } of readData<{ locode: string; aliases: readonly string[] }>("ports.json")) {
      for (const code of [locode, ...aliases]) expect([code, isLocode(code)]).toEqual([code, true]);
    }
  });
});

test.each([
  ["B/L no. maeu-123 456 789", "MAEU-123456789"],
  ["Booking #: 12 34", "1234"],
  [" hlcu sha2 ", "HLCUSHA2"],
])("%j is shown as %s", (text, expected) => expect(displayNumber(text)).toBe(expected));
