import { beforeAll, expect, test } from "@jest/globals";
import type { LaneFilters } from "@svc/domain/lanes";
import type { PageRequest } from "@svc/domain/lists";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { watchPlans } from "../lists/testing/list-plans.ts";
import type { AccountSql } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createTransitTimeReader, newestArrivals } from "./transit-time-reader.ts";

const lanes = 20;
const firstPage = {
  size: 5,
  sortBy: "last_arrived_at",
  descending: true,
  position: { kind: "number", number: 1 },
} as const satisfies PageRequest<"last_arrived_at">;

let [short, long] = ["", ""];
const lading = uuidV7.next();

const database = started(() => openTestDatabase({ applicationName: "transit-times-test" }));
const plans = started(() => watchPlans(database.options, database.tenantSql, ["shipments", "containers"]));
beforeAll(async () => {
  [short, long] = [await addAccount(database), await addAccount(database)];
  await database.pool.query(
    `INSERT INTO ports (id, locode, name, country_code, time_zone, source)
      SELECT $1, 'CNSHA', 'Shanghai', 'CN', 'Asia/Shanghai', 'core'
      UNION ALL SELECT gen_random_uuid(), 'NLR' || chr(65 + n), 'Port ' || n, 'NL', 'Europe/Amsterdam', 'core'
      FROM generate_series(0, ${lanes - 1}) AS n`,
    [lading],
  );
  await fill(short, 1_000);
  // Triggers keep their plans, and those made for empty tables read all rows of an account for each new row.
  await database.pool.query("ANALYZE shipments, containers");
  await fill(long, 20_000);
  await database.pool.query("VACUUM ANALYZE shipments, containers");
}, 240_000);

/** Arrivals an hour apart. A voyage takes 10 days, and since 100 arrivals of a lane a day more; the dwell is 3 days. */
async function fill(accountId: string, count: number): Promise<void> {
  await database.pool.query(
    `WITH arrivals AS (
      SELECT gen_random_uuid() AS id, n, chr(65 + n % ${lanes}) AS port,
        timestamptz '2020-01-01' + n * interval '1 hour' AS at
      FROM generate_series(1, $2::int) AS n
    ), added AS (
      INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
        port_of_lading_id, port_of_discharge_id, pol_atd_at, pod_ata_at, created_at, updated_at)
      SELECT $1, a.id, 'T' || n, 'T' || n, 'bill_of_lading', 'SBXL', $3, p.id,
        a.at - interval '1 day' * (10 + n / (${lanes} * 100)), a.at, a.at, a.at
      FROM arrivals a JOIN ports p ON p.locode = 'NLR' || a.port)
    INSERT INTO containers (account_id, id, shipment_id, number, pod_discharged_at, pod_full_out_at, created_at,
      updated_at)
    SELECT $1, gen_random_uuid(), a.id, 'SBXU' || lpad(n::text, 7, '0'), a.at, a.at + interval '3 days', a.at, a.at
    FROM arrivals a`,
    [accountId, count, lading],
  );
}

const list =
  (accountId: string, filters: LaneFilters = {}, size: number = firstPage.size) =>
  (sql: AccountSql) =>
    createTransitTimeReader(sql).list(accountId, filters, { ...firstPage, size });

test("reads the same number of rows for a long history as for a short one", async () => {
  for (const filters of [{}, { carrier: ["SBXL"] }, { portOfLading: ["CNSHA"] }, { portOfDischarge: ["NLRA"] }]) {
    // The lanes are scanned for the count and the order; voyages are read only for the lanes of the page and the next
    // one, each with its container.
    const rowsMax = 2 * (lanes + 1) + (firstPage.size + 1) * newestArrivals * 2;
    expect(await plans.rowsRead(list(short, filters))).toBeLessThanOrEqual(rowsMax);
    expect(await plans.rowsRead(list(long, filters))).toBeLessThanOrEqual(rowsMax);
  }
});

test("lists every lane once, latest arrival first, by its newest arrivals, only of the account", async () => {
  const { items, total } = await list(long, {}, 50)(database.tenantSql);
  expect([items.length, total, new Set(items.map(({ id }) => id)).size]).toEqual([lanes, lanes, lanes]);
  expect(items[0]).toMatchObject({
    shippingLineScac: "SBXL",
    portOfLadingLocode: "CNSHA",
    portOfLadingName: "Shanghai",
    portOfDischargeLocode: "NLRA",
    // The newest 200 of a thousand: half of them took a day longer than those before.
    shipments: newestArrivals,
    medianTransitDays: 19,
    p90TransitDays: 19,
    containers: newestArrivals,
    meanDwellDays: 3,
    medianDwellDays: 3,
    p90DwellDays: 3,
  });
  const [few] = (await list(short, { portOfDischarge: ["NLRB"] })(database.tenantSql)).items;
  expect(few).toMatchObject({ portOfDischargeLocode: "NLRB", shipments: 50, meanTransitDays: 10, containers: 50 });
  expect((await list(await addAccount(database))(database.tenantSql)).items).toEqual([]);
});
