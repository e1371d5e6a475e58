import { expect, test } from "@jest/globals";
import { derived } from "@svc/domain/records";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "./wire-attributes.ts";

const fields = {
  id: z.uuid(),
  podEtaAt: derived(z.iso.datetime().nullable()),
  number: z.string(),
  rowVersion: z.number(),
};
const { shape, of } = wireAttributes(fields, {
  id: omitted,
  number: {
    container_number: attribute(z.string(), ({ number }) => number),
    length: attribute(z.number(), ({ number }) => number.length),
  },
  rowVersion: omitted,
});

test("has the fields by their wire names, and exceptions in place of their fields", () => {
  expect(Object.keys(shape)).toEqual(["pod_eta_at", "container_number", "length"]);
  expect(shape.pod_eta_at.safeParse(null).success).toBe(true);
  expect(shape.length.safeParse("2").success).toBe(false);
});

test("reads the values of a record in the same order", () => {
  const values = of({ id: "1", podEtaAt: null, number: "AB", rowVersion: 3 });
  expect(Object.entries(values)).toEqual([
    ["pod_eta_at", null],
    ["container_number", "AB"],
    ["length", 2],
  ]);
});
