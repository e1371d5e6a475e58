import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readSearchQuery, searchText } from "./search-query.ts";

describe("reading a query", () => {
  test("removes separators from numbers, only spaces and dashes from container numbers, none from references", () => {
    expect(readSearchQuery(" mscu 123456-7 ")).toEqual({
      containerNumber: "MSCU1234567",
      number: "MSCU1234567",
      text: "MSCU 123456-7",
    });
    expect(readSearchQuery("ab.c/1_2-3")).toEqual({
      containerNumber: "AB.C/1_23",
      number: "ABC123",
      text: "AB.C/1_2-3",
    });
    expect(readSearchQuery("--")).toEqual({ containerNumber: "", number: "", text: "--" });
  });

  test.each(["", "   ", "\u00a0", "\u200b", "A\u0000B", "A\nB", "x".repeat(101)])("rejects %j", (queryText) => {
    expect(readSearchQuery(queryText)).toBeNull();
  });

  test.each(["x", "ß", "ﬁ", "𝔐", "e\u0301"])("accepts a hundred of %j, the maximum length of a reference", (sign) => {
    expect(readSearchQuery(`\u200b ${sign.repeat(100)} `)).not.toBeNull();
    expect(readSearchQuery(sign.repeat(101))).toBeNull();
  });

  test("normalizes dashes and removes invisible characters", () => {
    for (const dash of ["-", "\u2010", "\u2011", "\u2013", "\u2014", "\u2212", "\uff0d", "\u00ad"]) {
      expect(readSearchQuery(`mscu\u00a0123456${dash}7`)?.containerNumber).toBe("MSCU1234567");
    }
    expect(readSearchQuery("\ufeff \u200eMSCU\u200b1234567\u202c ")?.containerNumber).toBe("MSCU1234567");
    expect(readSearchQuery("po\u20131 \u200b")?.text).toBe("PO\u20131");
  });

  test("normalizes full-width and composed letters", () => {
    expect(searchText("\uff30\uff2f")).toBe("PO");
    expect(searchText("cafe\u0301")).toBe(searchText("CAF\u00c9"));
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(fc.string(), (queryText) => {
        const once = readSearchQuery(queryText);
        if (once && once.text.length <= 50) expect(readSearchQuery(once.text)?.text).toBe(once.text);
      }),
    );
  });
});
