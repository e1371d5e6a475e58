import { expect, test } from "@jest/globals";
import { relatedShipmentsNote } from "./related-shipments-note.ts";

const textOf = (markup: unknown): string =>
  String(markup)
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
const called = (number: string, ...references: string[]) => ({
  id: `id-${number}`,
  bill_of_lading_number: number,
  shared_ref_numbers: references,
});

test("says how many there are, and leads to each and to the search", () => {
  expect(relatedShipmentsNote([])).toBeNull();
  const note = relatedShipmentsNote([called("A1", "PO & 1"), called("B2", "PO & 1")]);
  expect(textOf(note)).toBe("2 other shipments share PO &amp; 1: A1, B2. Search for PO &amp; 1.");
  expect(String(note)).toContain('href="/shipments/id-B2"');
  expect(String(note)).toContain('href="/shipments?q=PO%20%26%201"');
  expect(textOf(relatedShipmentsNote([called("A1", "X")]))).toBe("1 other shipment shares X: A1. Search for X.");
});

test("names a few of many, of shipments and of references", () => {
  const many = Array.from({ length: 6 }, (_, index) => called(`S${index}`, `R${index % 4}`));
  expect(textOf(relatedShipmentsNote(many))).toBe(
    "More than 5 other shipments share a reference of this one: S0, S1, S2, S3, S4. Search for R0, R1, R2.",
  );
});
