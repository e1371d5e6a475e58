import { expect, test } from "@jest/globals";
import { type CarrierRecord, unprovedSource } from "./carrier-records.ts";

const carrier = (lastSucceededAt: string | null | undefined) =>
  ({
    entry: { verified: "from documents, not yet called" },
    connection: lastSucceededAt === undefined ? null : { attributes: { last_succeeded_at: lastSucceededAt } },
  }) as CarrierRecord;

test("a carrier is marked as not yet called until a request with the account's credentials succeeds", () => {
  expect(unprovedSource(carrier(undefined))).toBe("from documents, not yet called");
  expect(unprovedSource(carrier(null))).toBe("from documents, not yet called");
  expect(unprovedSource(carrier("2026-06-01T00:00:00.000Z"))).toBeNull();
});
