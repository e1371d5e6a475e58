import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import pg from "pg";
import type { AccountSql } from "../sql.ts";
import { tenantRole } from "../tenancy/account-connections.ts";
import { connectFor } from "../tenancy/testing/connect-for.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { findNamesakes } from "./find-namesakes.ts";
import { addShipment } from "./testing/shipments.ts";

const database = started(openTestDatabase);
let tenantPool: pg.Pool;

beforeAll(() => {
  tenantPool = new pg.Pool({ connectionString: database.url, options: `-c role=${tenantRole}` });
});
afterAll(() => tenantPool.end());

const on = (month: number) => ({ createdAt: `2026-0${month}-01T00:00:00Z` });

describe("other shipments with a reference of this one", () => {
  test("are found by their own and their containers' references, newest first, once each, only of the account", async () => {
    const [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
    const { id } = await addShipment(database, ownAccountId, { refNumbers: ["PO 7", "Lot 9", "alone"], ...on(3) });
    await addShipment(database, ownAccountId, { number: "OLD", refNumbers: ["lot 9", "po 7", "PO 7 b"], ...on(1) });
    await addShipment(database, ownAccountId, {
      number: "BOXED",
      containers: ["NAMU0000001", "NAMU0000002", "NAMU0000003"],
      containerRefNumbers: ["Po 7"],
      ...on(2),
    });
    await addShipment(database, ownAccountId, { number: "NEW", refNumbers: ["LOT 9"], ...on(4) });
    await addShipment(database, ownAccountId, { number: "PO 7", refNumbers: ["PO 77"], ...on(5) });
    await addShipment(database, otherAccountId, { number: "THEIRS", refNumbers: ["PO 7"], ...on(6) });
    const find = async (limit: number, refNumbers = ["PO 7", "Lot 9", "alone"]) =>
      (await findNamesakes(database.tenantSql, ownAccountId, { id, refNumbers }, limit)).map(
        ({ number, references }) => `${number}: ${references.join(", ")}`,
      );
    expect(await find(9)).toEqual(["NEW: Lot 9", "BOXED: PO 7", "OLD: PO 7, Lot 9"]);
    expect(await find(2)).toEqual(["NEW: Lot 9", "BOXED: PO 7"]);
    expect(await find(1)).toEqual(["NEW: Lot 9"]);
    expect(await find(9, ["alone"])).toEqual([]);
    expect(await find(9, [])).toEqual([]);
  });

  test("are read only up to the limit for a reference of every shipment", async () => {
    const account = await addAccount(database);
    await database.pool.query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
         ref_numbers, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'SAME' || n, 'SAME' || n, 'bill_of_lading', 'SBXL',
         ARRAY['STOCK', 'PO ' || n], timestamptz '2026-01-01' + n * interval '1 minute', now()
       FROM generate_series(1, 3000) AS n`,
      [account],
    );
    await database.pool.query(
      `INSERT INTO containers (account_id, id, shipment_id, number, ref_numbers, created_at, updated_at)
       SELECT s.account_id, gen_random_uuid(), s.id, 'SAMU' || right('00000' || s.normalized_number, 6) || k,
         ARRAY['STOCK'], now(), now()
       FROM shipments s CROSS JOIN generate_series(1, 3) AS k WHERE s.account_id = $1`,
      [account],
    );
    await database.pool.query("ANALYZE shipments, containers, search_keys");
    const [{ id } = { id: "" }] = await database.prisma.shipment.findMany({
      where: { accountId: account },
      orderBy: { createdAt: "desc" },
      take: 1,
    });
    const shared = { id, refNumbers: ["STOCK", "PO 3000"] };
    expect((await findNamesakes(database.tenantSql, account, shared, 4)).map(({ number }) => number)).toEqual([
      "SAME2999",
      "SAME2998",
      "SAME2997",
      "SAME2996",
    ]);
    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      const plan = await explain(account, shared, mode);
      expect(plan).not.toMatch(/Seq Scan on (shipments|search_keys)/);
      const read = [...plan.matchAll(/Scan[^\n]* on search_keys[^\n]*rows=([\d.]+) loops=(\d+)/g)];
      expect(read.length).toBeGreaterThanOrEqual(2);
      for (const [, rows, loops] of read) expect(Number(rows) * Number(loops)).toBeLessThan(50);
      const discarded = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count));
      expect(Math.max(0, ...discarded)).toBeLessThan(50);
    }
  });
});

/** The plan of the statement as the tenant role, custom or generic. */
async function explain(accountId: string, shared: { id: string; refNumbers: string[] }, mode: string): Promise<string> {
  const client = await connectFor(tenantPool, accountId);
  const plan: string[] = [];
  const explaining: AccountSql = {
    ...database.tenantSql,
    async rows(statement, values) {
      await client.query(`SET plan_cache_mode = ${mode}`);
      await client.query(`PREPARE explained AS ${statement.text}`);
      const execute = `EXECUTE explained(${values.map(literal).join(", ")})`;
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${execute}`);
      plan.push(...rows.map((row) => row["QUERY PLAN"]));
      return [];
    },
  };
  try {
    await findNamesakes(explaining, accountId, shared, 4);
    return plan.join("\n");
  } finally {
    await client.query("DEALLOCATE ALL");
    await client.query("RESET plan_cache_mode");
    client.release();
  }
}

const literal = (value: unknown): string =>
  Array.isArray(value) ? `ARRAY[${value.map(literal).join(", ")}]` : pg.escapeLiteral(String(value));
