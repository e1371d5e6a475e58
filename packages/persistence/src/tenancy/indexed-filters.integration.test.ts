import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { createContainerRepository } from "../containers/container-repository.ts";
import { createShipmentRepository } from "../shipments/shipment-repository.ts";
import { type AccountSql, type AccountValues, createConnections, type Statement } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase, type TestDatabase } from "../testing/open-test-database.ts";
import { tenantRole } from "./account-connections.ts";
import { connectFor } from "./testing/connect-for.ts";

let database: TestDatabase;
let tenants: pg.Pool;
let large: string;

beforeAll(async () => {
  database = await openTestDatabase({ applicationName: "tenancy-test" });
  tenants = createConnections(database.options, tenantRole).pool;
  large = await addAccount(database);
  await database.pool.query(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
       ref_numbers, tags, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'LARG' || n, 'LARG' || n, 'bill_of_lading', 'SBXL', ARRAY['ORDER ' || n],
       ARRAY['TAG ' || n], timestamptz '2026-01-01' + n * interval '1 minute', now()
     FROM generate_series(1, 8000) AS n`,
    [large],
  );
  await database.pool.query(
    `INSERT INTO containers (account_id, id, shipment_id, number, ref_numbers, holds_at_pod_terminal, created_at,
      updated_at)
     SELECT s.account_id, gen_random_uuid(), s.id, 'BIGU' || s.normalized_number, ARRAY['BOX ' || s.normalized_number],
       CASE WHEN s.normalized_number = 'LARG7' THEN '[{}]'::jsonb ELSE '[]' END, s.created_at, now()
     FROM shipments s`,
  );
  await database.pool.query("VACUUM ANALYZE shipments, containers");
});
afterAll(() => Promise.all([database.close(), tenants.end()]));

const page = { size: 10, sortBy: "created_at", descending: true, position: { kind: "number", number: 1 } } as const;

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(", ")}]`;
  return typeof value === "string" ? pg.escapeLiteral(value) : String(value);
};

/** The custom plan of the list on a connection of the account. */
async function planOf(list: (sql: AccountSql) => Promise<unknown>): Promise<string> {
  let plan = "";
  const explain = async (statement: Statement, values: AccountValues): Promise<void> => {
    const text = statement.text.replaceAll(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1]));
    const client = await connectFor(tenants, values[0]);
    try {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(
        `EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF) ${text}`,
      );
      plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    } finally {
      client.release();
    }
  };
  await list({
    async rows(statement, values) {
      await explain(statement, values);
      return [];
    },
    execute: () => Promise.reject(new Error("A list only reads.")),
  });
  return plan;
}

test.each([
  ["refNumber", "shipments_ref_numbers", { refNumber: ["ORDER 77"] }],
  ["tag", "shipments_tags", { tag: ["TAG 77"] }],
  ["status", "shipments_status", { status: ["delivered_to_destination"] }],
] as const)("shipments filtered by %s are found by the index %s", async (_, index, filters) => {
  const plan = await planOf((sql) => createShipmentRepository(sql).list(large, filters, page));
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/);
});

test.each([
  ["refNumber", "containers_ref_numbers", { refNumber: ["BOX LARG77"] }],
  ["tag", "shipments_tags", { tag: ["TAG 77"] }],
  ["hasHolds", "containers_with_holds", { hasHolds: true }],
] as const)("containers filtered by %s are found by the index %s", async (_, index, filters) => {
  const plan = await planOf((sql) => createContainerRepository(sql).list(large, filters, page));
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/);
});
