import { expect, test } from "@jest/globals";
import { toErrorDocument } from "../errors.ts";
import { editShipmentDocument } from "../shipments/shipment-documents.ts";
import { type Fault, TrackingError } from "../tracking-error.ts";
import { readWriteDocument } from "./write-document.ts";

function faultsOf(data: object): readonly Fault[] {
  try {
    readWriteDocument(editShipmentDocument, { data }, "0199f0a0-0000-7000-8000-000000000001");
  } catch (error) {
    if (error instanceof TrackingError) return error.faults;
    throw error;
  }
  return [];
}

const unknownMembers = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1]));

test("keeps a hundred faults of a body and reports the number of further ones in the last", () => {
  const faults = faultsOf({ type: "container", attributes: unknownMembers(200_000), relationships: { ship: {} } });
  expect(faults).toHaveLength(100);
  expect(faults[0]).toMatchObject({ code: "conflict", source: { pointer: "/data/type" } });
  expect(faults[1]).toMatchObject({ code: "invalid", source: { pointer: "/data/attributes/a0" } });
  expect(faults.map(({ meta }) => meta)).toEqual([...Array(99).fill(undefined), { errors_left_out: 199_902 }]);
});

test("a response with a lower limit counts all others", () => {
  const { errors } = toErrorDocument(faultsOf({ attributes: unknownMembers(1_000) }), { requestId: "request-1" }, 10);
  expect(errors.map(({ meta }) => meta)).toEqual([...Array(9).fill(undefined), { errors_left_out: 990 }]);
});

test("a few faults are returned unchanged", () => {
  expect(faultsOf({ attributes: { tags: "x", ...unknownMembers(98) } }).map(({ meta }) => meta)).toEqual(
    Array(99).fill(undefined),
  );
});
