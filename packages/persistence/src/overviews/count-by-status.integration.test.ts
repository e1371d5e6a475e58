import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { overviewStatus, overviewStatuses, type Shipment } from "@svc/domain/shipments";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { ShipmentOverviewFilters } from "./overview-filters.ts";
import { createShipmentOverviewReader } from "./overview-reader.ts";

const database = started(openTestDatabase);
let ownAccountId: string;
let otherAccountId: string;
const at = new Date("2026-06-01T00:00:00Z");
const now = instant("2026-06-01T00:00:00.000Z");
const upTo = 1_000;

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

const stopped = (lineTrackingStoppedReason: string) => ({ lineTrackingStoppedAt: at, lineTrackingStoppedReason });

const shipments = started(() => createShipmentOverviewReader(database.tenantSql));
beforeAll(async () => {
  [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
  await add(ownAccountId, 2, {});
  await add(ownAccountId, 3, { polEtdAt: at, tags: ["urgent"] });
  await add(ownAccountId, 1, { polAtdAt: at, podEtaAt: at, tags: ["urgent"] });
  await add(ownAccountId, 4, { podAtaAt: at });
  await add(ownAccountId, 2, { podAtaAt: at, ...stopped("all_containers_terminated") });
  await add(ownAccountId, 3, { podAtaAt: at, containersPickedUp: true, containersReturned: true });
  await add(ownAccountId, 3, { podAtaAt: at, containersPickedUp: true });
  await add(ownAccountId, 1, { polAtdAt: at, containersPickedUp: true, ...stopped("past_full_out_window") });
  await add(ownAccountId, 1, { podAtaAt: at, ...stopped("past_full_out_window") });
  await add(ownAccountId, 1, { polEtdAt: at, ...stopped("booking_cancelled") });
  await add(otherAccountId, 5, { destinationAtaAt: at, tags: ["urgent"] });
});

const countsOf = async (accountId: string, filters: ShipmentOverviewFilters) =>
  Object.fromEntries(
    (await shipments.count(accountId, filters, { by: "status", upTo }, now)).map(({ value, count }) => [value, count]),
  );

describe("count of shipments by status", () => {
  test("counts only this account's shipments, equal to the filtered list", async () => {
    const counts = await countsOf(ownAccountId, {});
    expect(counts).toEqual({
      pending: 2,
      awaiting_departure: 3,
      in_transit: 1,
      arrived_at_pod: 5,
      picked_up: 4,
      returned: 5,
      booking_cancelled: 1,
    });
    const uncapped = await shipments.count(ownAccountId, {}, { by: "status" }, now);
    expect(uncapped).toEqual(await shipments.count(ownAccountId, {}, { by: "status", upTo }, now));
    for (const status of overviewStatuses) {
      const position = { kind: "number", number: 1 } as const;
      const page = { size: 25, sortBy: "arrival", descending: false, position } as const;
      const { items } = await shipments.list(ownAccountId, { status: [status] }, page, now);
      expect(items.map((one) => one.status)).toEqual(new Array(counts[status] ?? 0).fill(status));
      const both = await shipments.list(ownAccountId, { status: [status, "returned"] }, page, now);
      expect(both.total).toBe((counts[status] ?? 0) + (status === "returned" ? 0 : 5));
    }
  });

  test("applies other filters", async () => {
    expect(await countsOf(ownAccountId, { tag: ["urgent"] })).toEqual({ awaiting_departure: 3, in_transit: 1 });
    expect(await countsOf(ownAccountId, { endPort: ["XXNOW"] })).toEqual({});
    const arriving = { arrivalAfter: instant("2026-05-01T00:00:00.000Z") };
    expect(await countsOf(ownAccountId, arriving)).toEqual({
      in_transit: 1,
      arrived_at_pod: 5,
      picked_up: 3,
      returned: 5,
    });
  });

  test("follows the same rule as the domain", async () => {
    const every = await addAccount(database);
    const times = [null, "polEtdAt", "polAtdAt", "podAtaAt", "destinationAtaAt"];
    const reasons = [null, "booking_cancelled", "all_containers_terminated", "cancelled_by_user"] as const;
    const rows = times.flatMap((time) =>
      reasons.flatMap((reason) =>
        [false, true].flatMap((containersPickedUp) =>
          [false, true].map((containersReturned) => ({
            ...(time && { [time]: at }),
            ...(reason && stopped(reason)),
            containersPickedUp,
            containersReturned,
          })),
        ),
      ),
    );
    for (const row of rows) await add(every, 1, row);
    const stored = await database.prisma.shipment.findMany({ where: { accountId: every } });
    const expected = new Map(
      stored.map(({ containersPickedUp: arePickedUp, containersReturned: areReturned, ...row }) => [
        row.id,
        overviewStatus(row as unknown as Shipment, { arePickedUp, areReturned }),
      ]),
    );
    const page = { size: 100, sortBy: "arrival", descending: false, position: { kind: "number", number: 1 } } as const;
    const { items } = await shipments.list(every, {}, page, now);
    expect(new Map(items.map(({ id, status }) => [id, status]))).toEqual(expected);
    for (const status of overviewStatuses) {
      const { items: found } = await shipments.list(every, { status: [status] }, page, now);
      const ids = [...expected].flatMap(([id, one]) => (one === status ? id : []));
      expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    }
  });

  test("counts up to the maximum", async () => {
    const many = await addAccount(database);
    await add(many, upTo + 5, {});
    expect(await countsOf(many, {})).toEqual({ pending: upTo + 1 });
  });
});
