import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { shipmentStatuses } from "@svc/domain/shipments";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../search/testing/shipments.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { countedInStatusAtMost } from "./count-by-status.ts";
import { createShipmentRepository, type ShipmentRepository } from "./shipment-repository.ts";

let database: Database;
let shipments: ShipmentRepository;
let mine: string;
let theirs: string;
const at = new Date("2026-06-01T00:00:00Z");
const none = { pending: 0, awaiting_departure: 0, in_transit: 0, arrived_at_pod: 0, delivered_to_destination: 0 };

async function add(accountId: string, count: number, columns: Record<string, unknown>): Promise<void> {
  await database.prisma.shipment.createMany({
    data: Array.from({ length: count }, () => {
      const id = uuidV7.next();
      const number = id.toUpperCase();
      const names = { billOfLadingNumber: number, normalizedNumber: number, numberKind: "bill_of_lading" };
      return { accountId, id, ...names, shippingLineScac: "SBXL", createdAt: at, updatedAt: at, ...columns };
    }),
  });
}

beforeAll(async () => {
  ({ database } = await openTestDatabase());
  shipments = createShipmentRepository(database.tenantSql);
  [mine, theirs] = [await addAccount(database), await addAccount(database)];
  await add(mine, 2, {});
  await add(mine, 3, { polEtdAt: at, tags: ["urgent"] });
  await add(mine, 1, { polAtdAt: at, podEtaAt: at, tags: ["urgent"] });
  await add(mine, 4, { podAtaAt: at });
  await add(theirs, 5, { destinationAtaAt: at, tags: ["urgent"] });
});
afterAll(() => database.close());

describe("count of shipments by status", () => {
  test("counts only this account's shipments, equal to the filtered list", async () => {
    const counts = await shipments.countByStatus(mine, {});
    expect(counts).toEqual({ ...none, pending: 2, awaiting_departure: 3, in_transit: 1, arrived_at_pod: 4 });
    for (const status of shipmentStatuses) {
      const position = { kind: "number", number: 1 } as const;
      const page = { size: 25, sortBy: "arrival", descending: false, position } as const;
      expect((await shipments.list(mine, { status: [status] }, page)).total).toBe(counts[status]);
    }
  });

  test("applies other filters", async () => {
    const urgent = { ...none, awaiting_departure: 3, in_transit: 1 };
    expect(await shipments.countByStatus(mine, { tag: ["urgent"] })).toEqual(urgent);
    expect(await shipments.countByStatus(mine, { port: ["XXNOW"] })).toEqual(none);
    const arriving = { arrivalAfter: "2026-05-01T00:00:00.000Z" as never };
    expect(await shipments.countByStatus(mine, arriving)).toEqual({ ...none, in_transit: 1, arrived_at_pod: 4 });
  });

  test("counts up to the maximum", async () => {
    const many = await addAccount(database);
    await add(many, countedInStatusAtMost + 5, {});
    expect((await shipments.countByStatus(many, {})).pending).toBe(countedInStatusAtMost + 1);
  });
});
