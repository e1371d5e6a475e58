import { beforeAll, expect, test } from "@jest/globals";
import type { LaneFilters } from "@svc/domain/lanes";
import type { PageRequest } from "@svc/domain/lists";
import { started } from "@svc/testkit/started";
import { watchPlans } from "../lists/testing/list-plans.ts";
import type { AccountSql } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createEtaAccuracyReader, newestEstimates } from "./eta-accuracy-reader.ts";

const lanes = 40;
const firstPage = {
  size: 5,
  sortBy: "last_arrived_at",
  descending: true,
  position: { kind: "number", number: 1 },
} as const satisfies PageRequest<"last_arrived_at">;

let short: string;
let long: string;

const database = started(() => openTestDatabase({ applicationName: "eta-accuracy-test" }));
const plans = started(() => watchPlans(database.options, database.tenantSql, ["eta_samples"]));
beforeAll(async () => {
  short = await addAccount(database);
  long = await addAccount(database);
  // Some lanes have no port of lading; the seventh has the latest arrivals.
  await fill(short, 2_000);
  await fill(long, 40_000);
  await database.pool.query("VACUUM ANALYZE eta_samples");
}, 120_000);

/** Closed estimates, an hour apart; the error grows by an hour every 100 estimates. */
async function fill(accountId: string, count: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO eta_samples (account_id, id, shipment_id, shipping_line_scac, port_of_lading_locode,
      port_of_discharge_locode,
       observed_at, eta_at, arrived_at)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'SBXL' ELSE 'MAEU' END,
       CASE WHEN n % ${lanes} > 4 THEN 'CNSHA' END, 'NLR' || n % ${lanes}, arrived_at - interval '2 days',
       arrived_at - interval '1 hour' * (1 + n / (${lanes} * 100)), arrived_at
     FROM generate_series(1, $2::int) AS n,
       LATERAL (SELECT timestamptz '2020-01-01' + n * interval '1 hour' + CASE
         WHEN n % ${lanes} = 7 THEN interval '2 days' ELSE interval '0' END AS arrived_at) AS arrival`,
    [accountId, count],
  );
}

const list =
  (accountId: string, filters: LaneFilters = {}, page = firstPage) =>
  (sql: AccountSql) =>
    createEtaAccuracyReader(sql).list(accountId, filters, page);

test("reads the same number of rows for a long history as for a short one", async () => {
  for (const filters of [{}, { carrier: ["SBXL"] }, { portOfLading: ["CNSHA"] }, { portOfDischarge: ["NLR7"] }]) {
    // The lanes are scanned for the count and the order; estimates are read only for the lanes of the page and the next
    // one.
    const rowsMax = 2 * lanes + (firstPage.size + 1) * newestEstimates;
    expect(await plans.rowsRead(list(short, filters))).toBeLessThanOrEqual(rowsMax);
    expect(await plans.rowsRead(list(long, filters))).toBeLessThanOrEqual(rowsMax);
  }
});

test("lists every lane once, latest arrival first, by its newest estimates", async () => {
  const { items, total } = await list(long, {}, { ...firstPage, size: 50 } as never)(database.tenantSql);
  expect([items.length, total, new Set(items.map(({ id }) => id)).size]).toEqual([lanes, lanes, lanes]);
  expect(items.map(({ lastArrivedAt }) => lastArrivedAt)).toEqual(
    items.map(({ lastArrivedAt }) => lastArrivedAt).toSorted((a, b) => (a < b ? 1 : -1)),
  );
  expect(items.filter(({ portOfLadingLocode }) => portOfLadingLocode === null)).toHaveLength(5);
  expect(items[0]).toMatchObject({
    scac: "MAEU",
    portOfDischargeLocode: "NLR7",
    estimates: newestEstimates,
    shipments: newestEstimates,
    // The newest of a thousand, with errors of nine and ten hours.
    meanErrorHours: 9.5,
    medianAbsoluteErrorHours: 9.5,
    p90AbsoluteErrorHours: 10,
  });
  const [few] = (await list(short)(database.tenantSql)).items;
  expect(few).toMatchObject({ estimates: 50, meanErrorHours: 1 });
});

test("lists every lane across pages in both directions", async () => {
  const all = (await list(long, {}, { ...firstPage, size: 50 } as never)(database.tenantSql)).items.map(({ id }) => id);
  const listedIds: string[] = [];
  let page: PageRequest<"last_arrived_at"> = { ...firstPage, size: 9 };
  for (;;) {
    const { items, hasMore } = await createEtaAccuracyReader(database.tenantSql).list(long, {}, page);
    listedIds.push(...items.map(({ id }) => id));
    const last = items.at(-1);
    if (!hasMore || !last) break;
    page = { ...page, position: { kind: "after", row: { value: last.lastArrivedAt, id: last.id } } };
  }
  expect(listedIds).toEqual(all);
});
