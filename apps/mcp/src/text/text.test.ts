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
    ["![x](https://evil.test/a?b=1)", "x (https[:]//evil.test/a?b=1)"],
    ["[![i](https://evil.test/i)](https://evil.test)", "![i (https[:]//evil.test/i)] (https[:]//evil.test)"],
    ["javascript:alert(1)", "javascript[:]alert(1)"],
    ["<img src=x>", "‹img src=x›"],
  ])("%j is %j", (text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test("makes one line of at most 120 visible characters from any text, and is idempotent", () => {
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

test("cleanContent omits empty values, but keeps zero, false and an empty result", () => {
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

test("a cause is kept whole: it is a sentence of this service", () => {
  const cause = `The container arrived in ${"Port ".repeat(40)}late.`;
  expect(cleanContent({ rows: [{ cause, remark: cause }] })).toEqual({ rows: [{ cause, remark: cleanText(cause) }] });
});

test("renderText ends with the content as one line of JSON that a program can parse", () => {
  const content = { rows: [{ id: "1", refs: ['a"b'] }], total: 2 };
  const lines = renderText("One of 2.", content).split("\n");
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[2] ?? "")).toEqual(content);
});

describe("fitContent", () => {
  const json = (content: object) => JSON.stringify(content);

  test("changes nothing that fits", () => {
    const content = { refs: Array.from({ length: 20 }, String) };
    expect(fitContent(content, json, 1_000).content).toBe(content);
  });

  test("shortens lists of texts no more than it must, gives their length, and keeps rows and ids whole", () => {
    const id = "0197a1b2-0000-7000-8000-000000000002";
    const rows = Array.from({ length: 10 }, () => ({ id, refs: Array.from({ length: 20 }, () => "r".repeat(50)) }));
    type Row = (typeof rows)[number] & { readonly refs_total: number };
    const fitted = fitContent({ rows }, json, 900).content as unknown as { rows: Row[] };
    expect(fitted.rows).toHaveLength(10);
    expect(fitted.rows.every((row) => row.id === id && row.refs.length === 3)).toBe(true);
    expect(fitted.rows[0]?.refs_total).toBe(20);
  });

  test("a list of which nothing fits is left out with its length, never shown empty", () => {
    const rows = Array.from({ length: 10 }, () => ({ id: 1, refs: Array.from({ length: 20 }, () => "r".repeat(50)) }));
    const fitted = fitContent({ rows }, json, 120).content as { rows: object[] };
    expect(fitted.rows).toEqual(rows.map(() => ({ id: 1, refs_total: 20 })));
  });

  test("rows are left out from the end, and counted, when nothing else is left to shorten", () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({ number: index, name: "harbour", status: "on_ship" }));
    const fitted = fitContent({ rows, total: 50 }, json, 300).content as { rows: object[]; rows_omitted: number };
    expect(fitted.rows.length).toBeGreaterThan(5);
    expect(fitted.rows).toEqual(rows.slice(0, fitted.rows.length));
    expect(fitted.rows.length + fitted.rows_omitted).toBe(50);
  });

  test("a page without a page size keeps its next page when rows are omitted", () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({ number: index, name: "harbour" }));
    const { content } = fitContent({ rows, total: 90, next_page: 2 }, json, 200);
    expect(content).toMatchObject({ next_page: 2, rows_omitted: expect.any(Number) });
    expect(content).not.toHaveProperty("continue_with");
  });

  test("a page with omitted rows names the page that continues, and has no next page", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 40 }), (page, size) => {
        const items = Array.from({ length: size }, (_, index) => ({ number: index, name: "harbour" }));
        const all = { items, page, page_size: size, total: 500, next_page: page + 1 };
        const { content } = fitContent(all, json, 60) as { content: Record<string, unknown> };
        const next = content.continue_with as { page: number; page_size: number };
        const firstOmitted = (page - 1) * size + (content.items as object[]).length;
        const begins = (next.page - 1) * next.page_size;
        expect(content).not.toHaveProperty("next_page");
        expect(begins).toBeLessThanOrEqual(firstOmitted);
        expect(begins + next.page_size).toBeGreaterThan(firstOmitted);
      }),
    );
  });
});
