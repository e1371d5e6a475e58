import { expect, test } from "@jest/globals";
import { type ApiExamples, withKnownValues } from "./api-examples.ts";

const id = (digit: string): string => `01a22f5e-7134-764b-96d2-84c9bc040fa${digit}`;

const shipment = (own: string, createdAt: string, more: object = {}): ApiExamples => ({
  getShipment: {
    status: 200,
    response: {
      data: { id: own, attributes: { created_at: createdAt, ...more } },
      links: { self: `/shipments/${own}` },
    },
  },
});

test("a new recording keeps the ids and times of the committed examples, and has what is new", () => {
  const committed = shipment(id("1"), "2026-12-01T02:09:47.247Z");
  const recorded = shipment(id("2"), "2026-12-05T10:00:00.000Z", { container_id: id("3"), returned_at: null });
  expect(withKnownValues(recorded, committed)).toEqual(
    shipment(id("1"), "2026-12-01T02:09:47.247Z", { container_id: id("3"), returned_at: null }),
  );
});

test("a recorded operation without a committed example stays as it is", () => {
  const recorded = shipment(id("2"), "2026-12-05T10:00:00.000Z");
  expect(withKnownValues(recorded, {})).toEqual(recorded);
});
