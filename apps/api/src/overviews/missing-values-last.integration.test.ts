import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);

test("sorts rows that show no last free day or delay last in both orders, on every page", async () => {
  const { id: accountId, token } = await api.createAccount();
  const shipment = await insertShipment(api.database, accountId, {});
  const days = { early: 1, late: 5, "picked up": 0, returned: 2, unknown: null } as const;
  const names = new Map<string, string>();
  for (const [index, [name, day]] of Object.entries(days).entries()) {
    const isOut = name === "picked up" || name === "returned";
    const row = {
      number: `SBXU200000${index}`,
      pickupLfd: day === null ? null : daysFromNow(day),
      podFullOutAt: isOut ? new Date() : null,
      emptyTerminatedAt: name === "returned" ? new Date() : null,
    };
    names.set(await insertContainer(api.database, accountId, shipment, row), name);
  }
  const pages = async (query: string) => {
    const found: (string | undefined)[] = [];
    let next: string | undefined = `/container_overviews?page[size]=1&${query}`;
    while (next !== undefined) {
      const { body } = await api.request(next, { token });
      found.push(...body.data.map(({ id }: { readonly id: string }) => names.get(id)));
      const cursor: string | null = body.links.next === undefined ? null : body.meta.page.end_cursor;
      next = cursor === null ? undefined : `/container_overviews?page[size]=1&${query}&page[after]=${cursor}`;
    }
    return found;
  };
  const ascending = await pages("sort=last_free_day");
  expect(ascending.slice(0, 2)).toEqual(["early", "late"]);
  expect(new Set(ascending).size).toBe(5);
  const descending = await pages("sort=-last_free_day");
  expect(descending.slice(0, 2)).toEqual(["late", "early"]);
  expect(new Set(descending).size).toBe(5);
  const present = await pages("sort=last_free_day&filter[empty_returned]=false");
  expect(present).toHaveLength(4);
  expect(present).not.toContain("returned");
  expect(await pages("filter[empty_returned]=true")).toEqual(["returned"]);
});

test("sorts by the last change of the carrier, with unreported values last in both orders", async () => {
  const { id: accountId, token } = await api.createAccount();
  const names = new Map<string, string>();
  // Of "gap", what was read last is a report of the carrier from before.
  const arrivalDaysAgo = { recent: [1], gap: [0, 5], unknown: [], old: [9] };
  const progress = { bookingCancelledAt: null, etdAt: null, etaAt: null, ataAt: null, destinationAtaAt: null };
  for (const [number, [daysAgo, reportedDaysAgo]] of Object.entries(arrivalDaysAgo)) {
    const subjectId = uuidV7.next();
    const lastChangedAt = daysAgo === undefined ? null : daysFromNow(-daysAgo);
    const reportedAt = reportedDaysAgo === undefined ? null : daysFromNow(-reportedDaysAgo).toISOString();
    await api.database.prisma.trackingSubject.create({
      data: {
        accountId,
        id: subjectId,
        scac: "SBXL",
        kind: "bill_of_lading",
        number,
        createdAt: new Date(),
        lastChangedAt,
        progress: { ...progress, latestEstimateAt: null, containers: [], reportedAt },
      },
    });
    const shipment = await insertShipment(api.database, accountId, { number: number.toUpperCase(), subjectId });
    names.set(shipment, number);
    names.set(await insertContainer(api.database, accountId, shipment, { number: `SBXU30000${names.size}0` }), number);
  }
  for (const list of ["shipment_overviews", "container_overviews"]) {
    const pages = async (sort: string) => {
      const found: (string | undefined)[] = [];
      const path = `/${list}?page[size]=1&sort=${sort}`;
      for (let next: string | undefined = path; next !== undefined; ) {
        const { body } = await api.request(next, { token });
        found.push(...body.data.map(({ id }: { readonly id: string }) => names.get(id)));
        next = body.links.next === undefined ? undefined : `${path}&page[after]=${body.meta.page.end_cursor}`;
      }
      return found;
    };
    expect([list, await pages("last_changed_at")]).toEqual([list, ["old", "gap", "recent", "unknown"]]);
    expect([list, await pages("-last_changed_at")]).toEqual([list, ["recent", "gap", "old", "unknown"]]);
  }
});
