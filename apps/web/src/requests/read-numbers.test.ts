import { describe, expect, test } from "@jest/globals";
import type { InferableLine } from "@svc/domain";
import { readEventFile } from "./import-routes.ts";
import { readNumbers, requestOf, writtenNumber } from "./read-numbers.ts";

const lines: readonly InferableLine[] = [
  {
    scac: "SBXL",
    name: "Sandbox Line",
    alternativeScacs: [],
    billOfLadingPatterns: ["SBX[A-Z]{3}\\d{6}"],
    containerPrefixes: ["SBXU"],
    queryForm: "strip_prefix",
  } as unknown as InferableLine,
];
const nothingSaid = { type: "auto", line: "", tags: ["urgent"] };

describe("a list of numbers", () => {
  test("is a number in each line, with its line and a reference where they are told", () => {
    const text = '\uFEFFnumber,scac,reference\r\n SBXDIR000001 \r\n\r\nABC 12-3;MAEU;"PO-1"\nSBXU0400442\tSBXL';
    expect(readNumbers(text)).toEqual([
      { number: "SBXDIR000001", line: "", reference: "" },
      { number: "ABC 12-3", line: "MAEU", reference: "PO-1" },
      { number: "SBXU0400442", line: "SBXL", reference: "" },
    ]);
  });

  test("is a JSON array of numbers or of records", () => {
    expect(readNumbers('["A1", {"number": "B2", "scac": "MAEU", "reference": "R"}, {"request_number": "C3"}]')).toEqual(
      [
        { number: "A1", line: "", reference: "" },
        { number: "B2", line: "MAEU", reference: "R" },
        { number: "C3", line: "", reference: "" },
      ],
    );
    expect(readNumbers("[1]")).toBeNull();
    expect(readNumbers("[")).toBeNull();
    expect(readNumbers(" \n ")).toEqual([]);
  });

  test("is written again as it was read", () => {
    for (const text of ["A1", "A1, MAEU", "A1, MAEU, PO-1"]) {
      expect(readNumbers(text)?.map(writtenNumber)).toEqual([text]);
    }
  });

  test("a line is what is said, else what is certain, else left to the service", () => {
    const of = (number: string, line = "") => requestOf({ number, line, reference: "" }, nothingSaid, lines);
    expect(of("X1", "maeu")).toMatchObject({ scac: "MAEU", requestType: "bill_of_lading", shipmentTags: ["urgent"] });
    expect(of("SBXLSBXDIR000001")).toMatchObject({ scac: "SBXL" });
    expect(of("12345678")).toMatchObject({ autoDetectScac: true });
    expect(of("SBXU0400442")).toMatchObject({ requestType: "container" });
    expect(
      requestOf({ number: "X1", line: "", reference: "R" }, { ...nothingSaid, line: "ONEY" }, lines),
    ).toMatchObject({
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
