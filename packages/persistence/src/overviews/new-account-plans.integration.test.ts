import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { connectDatabase, type Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { createStatisticsRefresh } from "../operations/refresh-statistics.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createContainerOverviewReader, createShipmentOverviewReader } from "./overview-reader.ts";

const shipmentsCount = 300;
const tables = ["shipments", "containers"];
const now = instant("2026-11-29T00:00:00.000Z");

const database = started(openTestDatabase);

/** Adds shipments with three containers each to tables that have no statistics. */
async function addTracked(accountId: string): Promise<void> {
  for (const table of tables) await database.pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  const record = { accountId, createdAt: new Date(), updatedAt: new Date() };
  const shipments = Array.from({ length: shipmentsCount }, (_, index) => ({
    ...record,
    id: uuidV7.next(),
    billOfLadingNumber: `NEW${index}`,
    normalizedNumber: `NEW${index}`,
    numberKind: "bill_of_lading",
    shippingLineScac: "SBXL",
  }));
  await database.prisma.shipment.createMany({ data: shipments });
  const containers = shipments.flatMap(({ id: shipmentId }, index) =>
    [0, 1, 2].map((position) => ({ ...record, id: uuidV7.next(), shipmentId, number: `NEWU${index * 3 + position}` })),
  );
  await database.prisma.container.createMany({ data: containers });
}

/** Rows of the tables that the work read through indexes; the backends report them when they end. */
async function countRowsRead(work: (database: Database) => Promise<void>): Promise<number> {
  const name = "new-account-plans";
  const read = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      "SELECT sum(idx_tup_read)::int AS count FROM pg_stat_user_indexes WHERE relname = ANY($1)",
      [tables],
    );
    return rows[0]?.count ?? 0;
  };
  await database.pool.query("SELECT pg_stat_force_next_flush()");
  const before = await read();
  const options = { url: database.directUrl, applicationName: name, maxConnections: 2, plans: "by_index" } as const;
  const other = connectDatabase({ ...options, onIdleError: () => undefined });
  await work(other);
  await other.close();
  const backends = "SELECT FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()";
  await eventually("the backends have ended", async () => (await database.pool.query(backends, [name])).rowCount === 0);
  return (await read()) - before;
}

/** The first pages of lists that are sorted after all rows were found. */
async function list({ tenantSql }: Database, accountId: string): Promise<void> {
  const page = { size: 50, descending: false, position: { kind: "number", number: 1 } } as const;
  for (const sortBy of ["arrival", "delay"] as const) {
    await createContainerOverviewReader(tenantSql).list(accountId, {}, { ...page, sortBy }, now);
    await createShipmentOverviewReader(tenantSql).list(accountId, {}, { ...page, sortBy }, now);
  }
}

const linear = 30 * 3 * shipmentsCount;

test("lists of the first account read each row a few times, before and after statistics are renewed", async () => {
  const accountId = await addAccount(database);
  await addTracked(accountId);
  // The containers of the account for each of its shipments, in two lists; not for each row of a page as well.
  const reads = await countRowsRead((other) => list(other, accountId));
  expect(reads).toBeLessThan(3 * shipmentsCount * 3 * shipmentsCount);
  const refresh = createStatisticsRefresh(database);
  const failed = (error: unknown) => {
    throw error;
  };
  await eventually("both tables are found to have grown", async () => {
    const renewed = await refresh(failed);
    return tables.every((table) => renewed.includes(table));
  });
  expect(await refresh(failed)).toEqual([]);
  expect(await countRowsRead((other) => list(other, accountId))).toBeLessThan(linear);
});

test("lists of an account without statistics of its own read each row a few times", async () => {
  for (const accountId of [await addAccount(database), await addAccount(database)]) await addTracked(accountId);
  await database.pool.query("ANALYZE shipments, containers");
  const accountId = await addAccount(database);
  await addTracked(accountId);
  const reads = await countRowsRead((other) => list(other, accountId));
  expect(reads).toBeLessThan(linear);
});
