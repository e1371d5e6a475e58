import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readSearchQuery, searchText } from "./search-query.ts";

describe("reading a query", () => {
  test("numbers lose their separators, references keep them", () => {
    expect(readSearchQuery(" mscu 123456-7 ")).toEqual({ number: "MSCU1234567", text: "MSCU 123456-7" });
    expect(readSearchQuery("--")).toEqual({ number: "", text: "--" });
  });

  test.each(["", "   ", "\u00a0", "A\u0000B", "A\nB", "x".repeat(101)])("%j is no query", (typed) => {
    expect(readSearchQuery(typed)).toBeNull();
  });

  test("dashes of every length are dashes, and what cannot be seen is nothing", () => {
    for (const dash of ["-", "\u2010", "\u2011", "\u2013", "\u2014", "\u2212", "\uff0d", "\u00ad"]) {
      expect(readSearchQuery(`mscu\u00a0123456${dash}7`)?.number).toBe("MSCU1234567");
    }
    expect(readSearchQuery("\ufeff \u200eMSCU\u200b1234567\u202c ")?.number).toBe("MSCU1234567");
    expect(readSearchQuery("po\u20131\u200b")).toEqual({ number: "PO1", text: "PO\u20131\u200b" });
  });

  test("full-width and composed letters are the same letters", () => {
    expect(searchText("\uff30\uff2f")).toBe("PO");
    expect(searchText("cafe\u0301")).toBe(searchText("CAF\u00c9"));
  });

  test("reading what was read changes nothing", () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const once = readSearchQuery(typed);
        if (once && once.text.length <= 50) expect(readSearchQuery(once.text)?.text).toBe(once.text);
      }),
    );
  });
});
