import { expect, test } from "@jest/globals";
import { type CarrierRecord, isUnverified } from "./carrier-records.ts";

const carrier = (lastSucceededAt: string | null | undefined) =>
  ({
    entry: { verified: "from documents, not yet called" },
    connection: lastSucceededAt === undefined ? null : { attributes: { last_succeeded_at: lastSucceededAt } },
  }) as CarrierRecord;

test("marks a carrier as not verified until a request with the account's credentials succeeds", () => {
  expect(isUnverified(carrier(undefined))).toBe(true);
  expect(isUnverified(carrier(null))).toBe(true);
  expect(isUnverified(carrier("2026-06-01T00:00:00.000Z"))).toBe(false);
});
