import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { instant } from "../instant.ts";
import { resolveIdentifier, type SearchCandidate } from "./resolve-identifier.ts";
import { readSearchQuery } from "./search-query.ts";

function candidate(over: Partial<SearchCandidate> & { at?: string } = {}): SearchCandidate {
  const { at = "2026-11-01T00:00:00.000Z", ...rest } = over;
  return {
    shipmentId: "a",
    shipmentCreatedAt: instant(at),
    shipmentNumbers: ["MAEU-262 175 0", "2621750"],
    refNumbers: ["PO-1"],
    container: { id: "c", number: "MSCU1234566", refNumbers: ["Box 7"] },
    ...rest,
  };
}

function resolve(queryText: string, candidates: SearchCandidate[]) {
  const query = readSearchQuery(queryText);
  return query && resolveIdentifier(query, candidates);
}

describe("resolving an identifier [spec: deep_link.1, deep_link.2, deep_link.3, deep_link.4]", () => {
  test.each([
    ["MSCU1234566", "exact_container", "c"],
    ["mscu 123456-6", "exact_container", "c"],
    ["maeu2621750", "exact_shipment", null],
    ["MAEU-262 1750", "exact_shipment", null],
    ["2621750", "exact_shipment", null],
    ["po-1", "exact_shipment", null],
    [" box 7 ", "exact_shipment", null],
    ["1234566", "partial_container", "c"],
    ["cu 12", "partial_container", "c"],
    ["maeu-26", "partial_shipment", null],
    ["o-1", "partial_shipment", null],
  ])("%s by %s", (queryText, rule, containerId) => {
    expect(resolve(queryText, [candidate()])).toEqual({ rule, shipmentId: "a", containerId });
  });

  test.each(["PO1", "box7", "MSCU1234567", "--"])("%s matches nothing", (queryText) => {
    expect(resolve(queryText, [candidate()])).toBeNull();
  });

  test.each([
    ["cu-12 34", "partial_container"],
    ["cu.12", null],
    ["12/34", null],
    ["12_34", null],
    ["mscu.1234566", null],
    ["maeu.262/1750", "exact_shipment"],
    ["maeu-262 17", "partial_shipment"],
    ["26217", "partial_shipment"],
    ["maeu 262-17", null],
    ["262-17", null],
    ["maeu 262-1750", "exact_shipment"],
  ])(
    "only container numbers are matched partially without separators: %s by %s [spec: deep_link.separators]",
    (queryText, rule) => {
      expect(resolve(queryText, [candidate()])?.rule ?? null).toBe(rule);
    },
  );

  test("a part with a dot, a slash or an underscore matches a reference before a container [spec: deep_link.4]", () => {
    for (const reference of ["2026.123/4", "2026_123.4"]) {
      const other = candidate({ shipmentId: "b", refNumbers: [reference], container: null });
      const part = reference.slice(2, -2);
      expect(
        resolve(part, [candidate({ container: { id: "c", number: "ABCU0261230", refNumbers: [] } }), other]),
      ).toEqual({
        rule: "partial_shipment",
        shipmentId: "b",
        containerId: null,
      });
    }
  });

  test("invisible characters in a reference or a query are ignored", () => {
    expect(resolve("po\u200b-1\ufeff", [candidate()])).toMatchObject({ rule: "exact_shipment" });
    expect(resolve("po-1", [candidate({ refNumbers: ["PO\u2060-1"] })])).toMatchObject({ rule: "exact_shipment" });
  });

  test("an earlier rule wins over a newer shipment of a later rule", () => {
    const newer = candidate({
      shipmentId: "b",
      at: "2026-11-20T00:00:00.000Z",
      refNumbers: ["MSCU1234566"],
      container: null,
    });
    expect(resolve("MSCU1234566", [newer, candidate()])).toMatchObject({ shipmentId: "a", rule: "exact_container" });
  });

  test("prefers the shipment created last, then the greater id, then the smallest container number [spec: deep_link.first]", () => {
    const createContainer = (number: string) => ({ id: number, number, refNumbers: [] });
    const all = [
      candidate({ shipmentId: "older" }),
      candidate({ shipmentId: "x", at: "2026-11-02T00:00:00.000Z", container: createContainer("MSCU1234566") }),
      candidate({ shipmentId: "y", at: "2026-11-02T00:00:00.000Z", container: createContainer("MSCU1234571") }),
      candidate({ shipmentId: "y", at: "2026-11-02T00:00:00.000Z", container: createContainer("MSCU1234566") }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (candidates) => {
        expect(resolve("MSCU", candidates)).toEqual({
          rule: "partial_container",
          shipmentId: "y",
          containerId: "MSCU1234566",
        });
      }),
    );
  });
});

const letter = fc.constantFrom("A", "b", "1", "2", "-", " ");
const word = fc.string({ unit: letter, minLength: 1, maxLength: 6 });
const container = fc.record({
  id: fc.uuid(),
  number: fc.stringMatching(/^[AB]{2}[12]{3}$/),
  refNumbers: fc.array(word, { maxLength: 2 }),
});
const anyCandidate: fc.Arbitrary<SearchCandidate> = fc.record({
  shipmentId: fc.uuid(),
  shipmentCreatedAt: fc.integer({ min: 0, max: 3 }).map((day) => instant(day * 86_400_000)),
  shipmentNumbers: fc.array(word, { minLength: 1, maxLength: 3 }),
  refNumbers: fc.array(word, { maxLength: 2 }),
  container: fc.option(container),
});

describe("properties", () => {
  test("ignores case and, for carriers' numbers, spaces and dashes [spec: deep_link.case, deep_link.separators]", () => {
    fc.assert(
      fc.property(fc.array(anyCandidate, { maxLength: 8 }), fc.nat(), (candidates, pick) => {
        const numbers = candidates.flatMap(({ container: containerCandidate }) =>
          containerCandidate ? [containerCandidate.number] : [],
        );
        const number = numbers[pick % (numbers.length || 1)];
        fc.pre(number !== undefined);
        const spelled = [...number.toLowerCase()].join(pick % 2 ? " " : "-");
        expect(resolve(spelled, candidates)).toEqual(resolve(number, candidates));
      }),
    );
  });

  test("every number and reference of a candidate matches by an exact rule", () => {
    fc.assert(
      fc.property(fc.array(anyCandidate, { minLength: 1, maxLength: 8 }), fc.nat(), (candidates, pick) => {
        const {
          container: containerCandidate,
          refNumbers,
          shipmentNumbers,
        } = candidates[pick % candidates.length] as SearchCandidate;
        const names = [
          ...refNumbers,
          ...(containerCandidate ? [containerCandidate.number, ...containerCandidate.refNumbers] : []),
          ...shipmentNumbers,
        ];
        for (const name of names.filter((text) => text.replace(/[\s-]/g, "") !== "")) {
          expect(resolve(name, candidates)?.rule).toMatch(/^exact_/);
        }
      }),
    );
  });

  test("the order of the candidates does not matter", () => {
    fc.assert(
      fc.property(fc.array(anyCandidate, { maxLength: 8 }), word, (candidates, queryText) => {
        expect(resolve(queryText, [...candidates].reverse())).toEqual(resolve(queryText, candidates));
      }),
    );
  });

  test("a container is selected exactly when its own number matched", () => {
    fc.assert(
      fc.property(fc.array(anyCandidate, { maxLength: 8 }), word, (candidates, queryText) => {
        const found = resolve(queryText, candidates);
        if (found) expect(found.containerId !== null).toBe(found.rule.endsWith("_container"));
      }),
    );
  });
});
