import { describe, expect, test } from "@jest/globals";
import { readEventFile } from "./import-handlers.ts";
import { readColumns, readNumbers, toTrackingRequest, writtenNumbers } from "./read-numbers.ts";

const emptyInput = { type: "auto", carrier: "", tags: ["urgent"] };

/** The numbers as text. */
function written(text: string): string {
  const numbers = readNumbers(text);
  if (typeof numbers === "string") throw new Error(numbers);
  return writtenNumbers(numbers);
}

describe("a list of numbers", () => {
  test("has one number per line, with an optional carrier and reference", () => {
    const text = '\uFEFFnumber,scac,reference\r\n SBXDIR000001 \r\n\r\nABC 12-3;MAEU;"PO-1"\nSBXU0400442\tSBXL';
    expect(readNumbers(text)).toEqual([
      { row: 2, number: "SBXDIR000001", carrier: "", customer: "", references: [] },
      { row: 4, number: "ABC 12-3", carrier: "MAEU", customer: "", references: ["PO-1"] },
      { row: 5, number: "SBXU0400442", carrier: "SBXL", customer: "", references: [] },
    ]);
  });

  test("is a JSON array of numbers or of records", () => {
    expect(readNumbers('["A1", {"number": "B2", "scac": "MAEU", "reference": "R"}, {"request_number": "C3"}]')).toEqual(
      [
        { row: 1, number: "A1", carrier: "", customer: "", references: [] },
        { row: 2, number: "B2", carrier: "MAEU", customer: "", references: ["R"] },
        { row: 3, number: "C3", carrier: "", customer: "", references: [] },
      ],
    );
    expect(readNumbers("[1]")).toBe("This JSON is no list of numbers.");
    expect(readNumbers("[")).toBe("This JSON is no list of numbers.");
    expect(readNumbers(" \n ")).toEqual([]);
  });

  test("keeps a row without a number that says anything else", () => {
    expect(readNumbers("Container,PO\nSBXU0400442,PO-1\n,PO-2\n,\n")).toMatchObject([
      { row: 2, number: "SBXU0400442" },
      { row: 3, number: "", references: ["PO-2"] },
    ]);
  });

  test("is written again as it was read", () => {
    for (const text of ["A1", "A1, MAEU", "A1, MAEU, PO-1", 'A1, , "PO 1, lot 2"', 'A1, MAEU, "12"" pipes", "x;y"']) {
      expect(written(text)).toBe(text);
    }
  });

  test("reads a quoted cell as one, and what follows the SCAC as references", () => {
    for (const text of [
      'SBXDIR000123,SBXL,"PO-4711, lot 2"',
      'SBXDIR000123, SBXL, "PO-4711, lot 2"',
      "SBXDIR000123;SBXL;PO-4711, lot 2",
    ]) {
      expect(readNumbers(text)).toMatchObject([
        { number: "SBXDIR000123", carrier: "SBXL", references: ["PO-4711, lot 2"] },
      ]);
    }
    expect(readNumbers("SBXDIR000123,SBXL,PO-4711, lot 2")).toMatchObject([{ references: ["PO-4711", "lot 2"] }]);
    expect(readNumbers('A1\nB2, "open')).toBe("Line 2 has a quote that is not closed or stands inside a field.");
  });

  test.each([
    "scac,number\nSBXL,SBXU0400442",
    "Container Number;SCAC\nSBXU0400442;SBXL",
    "Vessel\tShipping line\tContainer No.\nKite\tSBXL\tSBXU0400442",
    '"Carrier code","MBL #"\r\n"SBXL","SBXU0400442"\r\n',
    "Line,B/L no.\nSBXL,SBXU0400442",
  ])("reads the meaning of columns from a header: %j", (text) => {
    expect(readNumbers(text)).toEqual([
      { row: 2, number: "SBXU0400442", carrier: "SBXL", customer: "", references: [] },
    ]);
  });

  test("every column of references counts, and a first row with a number is no header", () => {
    expect(readNumbers("Booking,PO number,Our ref\nB1,4711,X\nB2,,")).toEqual([
      { row: 2, number: "B1", carrier: "", customer: "", references: ["4711", "X"] },
      { row: 3, number: "B2", carrier: "", customer: "", references: [] },
    ]);
    expect(readNumbers("ABC1,MAEU,Container\n!!, SBXL")).toEqual([
      { row: 1, number: "ABC1", carrier: "MAEU", customer: "", references: ["Container"] },
      { row: 2, number: "!!", carrier: "SBXL", customer: "", references: [] },
    ]);
  });

  test("a header without a name for the numbers has them first, and a column of customers is kept", () => {
    const text = "Container/BL, Line, PO, Customer\nSBXU0400442, Sandbox Line, PO-1, Acme\nB2, , , ";
    expect(readNumbers(text)).toEqual([
      { row: 2, number: "SBXU0400442", carrier: "Sandbox Line", customer: "Acme", references: ["PO-1"] },
      { row: 3, number: "B2", carrier: "", customer: "", references: [] },
    ]);
    expect(written(text)).toBe("Number, SCAC, Customer, Reference\nSBXU0400442, Sandbox Line, Acme, PO-1\nB2");
    expect(readNumbers(written(text))).toEqual(readNumbers(text));
    expect(readNumbers("not a number\nB2")).toMatchObject([{ number: "not a number" }, { number: "B2" }]);
  });

  test.each([
    ["Consignee,BOL No.,Ocean carrier,PO Nr", ["customer", "number", "carrier", "reference"]],
    ["Importer;Container ID;SSL;Job no.", ["customer", "number", "carrier", "reference"]],
    ["Buyer\tBooking ref\tSteamship line\tCustomer PO", ["customer", "number", "carrier", "reference"]],
    ["Consignee,Client,Container,Goods,,Booking", [null, "customer", "number", null, null]],
  ])("knows usual names of columns, and those it does not use: %s", (header, uses) => {
    expect(readColumns(`\uFEFF${header}\nA1,B2`)?.map(({ use }) => use)).toEqual(uses);
  });

  test("without a header has no columns", () => {
    for (const text of ["A1, MAEU, PO-1", "", '["A1"]', 'A1, "open']) expect(readColumns(text)).toBeNull();
  });

  test("a carrier is the given one, else left to the service", () => {
    const readOne = (number: string, carrier = "") =>
      toTrackingRequest({ row: 1, number, carrier, customer: "", references: [] }, emptyInput);
    expect(readOne("X1", "maeu")).toMatchObject({
      scac: "MAEU",
      requestType: "bill_of_lading",
      shipmentTags: ["urgent"],
    });
    expect(readOne("12345678")).toMatchObject({ autoDetectScac: true });
    expect(readOne("SBXU0400442")).toMatchObject({ requestType: "container" });
    const referred = { row: 1, number: "X1", carrier: "", customer: "", references: ["R"] };
    expect(toTrackingRequest(referred, { ...emptyInput, carrier: "ONEY" })).toMatchObject({
      scac: "ONEY",
      refNumbers: ["R"],
    });
  });
});

describe("a file of events", () => {
  test.each([
    ["scac,number\nA,B", { csv: "scac,number\nA,B" }],
    ['[{"scac":"A"}]', { rows: [{ scac: "A" }] }],
    ['{"rows":[{"scac":"A"}]}', { rows: [{ scac: "A" }] }],
    ["{", null],
    ['{"scac":"A"}', null],
  ])("%j", (text, file) => {
    expect(readEventFile(text)).toEqual(file);
  });
});
