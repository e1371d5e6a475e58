import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { cleanContent } from "./clean-content.ts";
import { cleanText } from "./clean-text.ts";
import { fitContent } from "./fit-content.ts";
import { renderText } from "./render-text.ts";

describe("cleanText", () => {
  test.each([
    ["a\tb\r\nc", "a b c"],
    ["pay\u202eload\u200b\ufeff", "payload"],
    ["tag\u{e0041}\u{e0042}s", "tags"],
    ["soft\u00adhyphen", "softhyphen"],
    ["\u0000\u001b[31mred", "[31mred"],
    ["Größe 港 🚢", "Größe 港 🚢"],
    [`${"x".repeat(118)}🚢🚢`, `${"x".repeat(118)}…`],
    ["\ud800", ""],
  ])("%j is %j", (text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test("of any text is one line of at most 120 visible characters, and cleaning again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const cleaned = cleanText(text);
        expect(cleaned.length).toBeLessThanOrEqual(120);
        expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        expect(cleanText(cleaned)).toBe(cleaned);
      }),
    );
  });
});

test("cleanContent leaves out what says nothing, but keeps zero, false and an empty answer", () => {
  expect(
    cleanContent({ a: null, b: "", c: [], d: 0, e: false, f: { g: null, h: [] }, i: "2026-01-01T00:00:00.000Z" }),
  ).toEqual({
    c: [],
    d: 0,
    e: false,
    f: {},
    i: "2026-01-01T00:00:00Z",
  });
});

test("renderText writes rows as a table and the rest as lines", () => {
  const rows = [
    { id: "1", refs: ["a", "b"] },
    { id: "2", place: { locode: "USLAX" } },
  ];
  expect(renderText({ rows, total: 2, none: [], deep: { at: "x" } })).toBe(
    "rows (2):\nid\trefs\tplace\n1\ta | b\t\n2\t\tlocode=USLAX\ntotal: 2\nnone: \ndeep.at: x",
  );
});

describe("fitContent", () => {
  const json = (content: object) => JSON.stringify(content);

  test("changes nothing that fits", () => {
    const content = { refs: Array.from({ length: 20 }, String) };
    expect(fitContent(content, json, 1_000).content).toBe(content);
  });

  test("shortens lists of texts no more than it must, says so, and keeps rows and ids whole", () => {
    const id = "0197a1b2-0000-7000-8000-000000000002";
    const rows = Array.from({ length: 10 }, () => ({ id, refs: Array.from({ length: 20 }, () => "r".repeat(50)) }));
    const fitted = fitContent({ rows }, json, 900).content as { rows: typeof rows; omitted: string };
    expect(fitted.rows).toHaveLength(10);
    expect(fitted.rows.every((row) => row.id === id && row.refs.length === 3)).toBe(true);
    expect(fitted.omitted).toBe("refs: all beyond 3; fewer rows show more");
    const smallest = fitContent({ rows, name: "n".repeat(120) }, json, 340).content as {
      name: string;
      rows: typeof rows;
    };
    expect(smallest.name).toHaveLength(40);
    expect(smallest.rows[0]?.id).toBe(id);
  });
});
