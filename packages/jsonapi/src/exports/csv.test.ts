import { describe, expect, test } from "@jest/globals";
import { csvCell, csvLine } from "./csv.ts";

describe("cells of a CSV file", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=x", "\n=x", "＝1", "＋1", "－1", "＠A1"])(
    "a spreadsheet does not run %j as a formula",
    (value) => {
      expect(csvCell(value).replace(/^"/, "").startsWith("'")).toBe(true);
    },
  );

  test("numbers stay numbers, also negative ones", () => {
    expect(csvCell(-3)).toBe("-3");
    expect(csvCell(["a", "=b"])).toBe('"a; =b"');
    expect(csvCell(["=a"])).toBe("'=a");
  });

  test("quotes, commas, semicolons and line breaks are quoted", () => {
    expect(csvLine(['a "b"', "c,d", "e\nf", null, true])).toBe('"a ""b""","c,d","e\nf",,true\r\n');
    expect(csvCell({ type: "demurrage", amount: 12.5, currency_code: null })).toBe("demurrage 12.5");
  });
});
