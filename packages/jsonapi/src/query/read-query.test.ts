import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { TrackingError } from "../tracking-error.ts";
import { encodeCursor } from "./cursor.ts";
import { booleanFlag, enumList, freeTexts, ids, timestamp } from "./parameters.ts";
import type { QueryDefinition } from "./query-definition.ts";
import { readQuery } from "./read-query.ts";

const definition = {
  type: "shipment",
  list: { sortKeys: { created_at: "instant", updated_at: "instant" } },
  parameters: {
    kind: enumList("filter[kind]", "", ["a", "b"]),
    name: freeTexts("filter[name]", ""),
    since: timestamp("filter[since]", ""),
    flag: booleanFlag("filter[flag]", ""),
    id: ids("filter[id]", ""),
  },
} as const satisfies QueryDefinition;

const id = "0199f0a0-0000-7000-8000-000000000001";

describe("reading a query", () => {
  test("reads every part with its type", () => {
    const row = { value: "2026-11-21T10:00:00.000Z", id };
    const query = readQuery(
      definition,
      `filter[kind]=b,a&filter%5Bname%5D=caf%65%CC%81,x+y&filter[since]=2026-11-21&filter[flag]=true&filter[id]=${id.toUpperCase()}` +
        `&include=containers,containers.pod_terminal,containers&fields[shipment]=tags&fields[port]=&sort=updated_at&page[size]=7` +
        `&page[after]=${encodeCursor("updated_at", row)}`,
    );
    expect(query.parameters).toEqual({
      kind: ["b", "a"],
      name: ["café", "x y"],
      since: "2026-11-21T00:00:00.000Z",
      flag: true,
      id: [id],
    });
    expect(query.include).toEqual([["containers"], ["containers", "pod_terminal"]]);
    expect(query.fields).toEqual(
      new Map([
        ["shipment", new Set(["tags"])],
        ["port", new Set()],
      ]),
    );
    expect(query.page).toEqual({ size: 7, sortBy: "updated_at", descending: false, position: { kind: "after", row } });
  });

  test("defaults to the first page, newest first, without included resources", () => {
    expect(readQuery(definition, "")).toMatchObject({
      include: null,
      page: { size: 30, sortBy: "created_at", descending: true, position: { kind: "number", number: 1 } },
      parameters: {},
    });
  });

  test("rejects a cursor of another sort order", () => {
    const cursor = encodeCursor("created_at", { value: "2026-11-21T10:00:00.000Z", id });
    expect(() => readQuery(definition, `page[after]=${cursor}`)).not.toThrow();
    expect(() => readQuery(definition, `sort=updated_at&page[after]=${cursor}`)).toThrow(TrackingError);
  });

  test("reads any query or rejects it with the invalid parameters [spec: P15, G4]", () => {
    const segment = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(
        "filter[kind]",
        "page[size]",
        "page[after]",
        "include",
        "fields[shipment]",
        "sort",
        "__proto__",
        "a,b",
        "%zz",
      ),
    );
    const query = fc.array(fc.tuple(segment, segment), { maxLength: 5 });
    fc.assert(
      fc.property(query, fc.boolean(), (pairs, encoded) => {
        const raw = pairs.map((pair) => pair.map((part) => (encoded ? safelyEncoded(part) : part)).join("=")).join("&");
        try {
          readQuery(definition, raw);
        } catch (error) {
          if (!(error instanceof TrackingError)) throw error;
          for (const fault of error.faults)
            expect([fault.code, typeof fault.source?.parameter]).toEqual(["invalid_parameter", "string"]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("accepts existing RFC 3339 times and dates", () => {
    const since = (text: string) => readQuery(definition, `filter[since]=${encodeURIComponent(text)}`).parameters.since;
    expect(since("2028-02-29")).toBe("2028-02-29T00:00:00.000Z");
    expect(since("2026-01-01T00:30:00.123456+02:00")).toBe("2025-12-31T22:30:00.123Z");
    expect(since("0001-01-01")).toBe("0001-01-01T00:00:00.000Z");
    expect(since("9999-12-31T23:59Z")).toBe("9999-12-31T23:59:00.000Z");
    for (const text of [
      "2026-02-29",
      "2026-04-31T10:00:00+02:00",
      "2026-13-01",
      "2026-00-10",
      "2026-01-00",
      "0000-12-31",
      "2026-01-01T24:00:00Z",
      "2026-01-01T10:60:00Z",
      "2026-01-01T10:00:00",
      "2026-01-01T10:00:00+24:00",
      "0001-01-01T00:00:00+01:00",
      "9999-12-31T23:59:59-01:00",
      "+12026-01-01",
      "21 November 2026",
    ]) {
      expect(() => since(text)).toThrow(TrackingError);
    }
  });

  test("decodes the texts of filters", () => {
    const value = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() !== "" && !/\p{Cc}|\\$/u.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        const query = readQuery(
          definition,
          `filter[name]=${encodeURIComponent(values.map((text) => text.replaceAll(",", "\\,")).join(","))}`,
        );
        expect(query.parameters.name).toEqual(values.map((text) => text.normalize("NFC")));
      }),
    );
  });

  test("reads escaped commas in any encoding", () => {
    const names = (text: string) => readQuery(definition, text).parameters.name;
    const encoded = `${new URLSearchParams({ "filter[name]": "Berlin\\, Mitte,Rome" })}`;
    expect(encoded).toContain("%2C");
    expect(names(encoded)).toEqual(["Berlin, Mitte", "Rome"]);
    expect(names("filter[name]=Berlin\\,%20Mitte,Rome")).toEqual(["Berlin, Mitte", "Rome"]);
    expect(names("filter[name]=a%2Cb")).toEqual(["a", "b"]);
    expect(names("filter[name]=C:\\new,x")).toEqual(["C:\\new", "x"]);
    expect(readQuery(definition, `${new URLSearchParams({ "filter[kind]": "a,b" })}`).parameters.kind).toEqual([
      "a",
      "b",
    ]);
  });
});

function safelyEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

describe("cursors", () => {
  test.each(["2026-02-30T00:00:00.000Z", "2026-11-21T24:00:00.000Z", "0000-01-01T00:00:00.000Z"])(
    "rejects a forged cursor with %s, which is not a time",
    (value) => {
      const cursor = encodeCursor("created_at", { value, id });
      expect(() => readQuery(definition, `page[after]=${cursor}`)).toThrow(TrackingError);
    },
  );

  test("a modified cursor is rejected or is a valid position", () => {
    const cursor = encodeCursor("created_at", { value: "2026-11-21T10:00:00.000Z", id });
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(..."ABCxyz019-_"), (index, character) => {
        const changed = cursor.slice(0, index) + character + cursor.slice(index + 1);
        try {
          const { position } = readQuery(definition, `page[after]=${changed}`).page;
          expect(position).toMatchObject({ kind: "after", row: { value: expect.stringMatching(/^\d{4}-.*Z$/) } });
        } catch (error) {
          expect(error).toBeInstanceOf(TrackingError);
        }
      }),
    );
  });
});
