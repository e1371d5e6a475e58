import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readSearchQuery, resolveIdentifier } from "@svc/domain";
import { testPostgresUrl } from "@svc/testkit";
import { connectDatabase, type Database } from "../database.ts";
import { applyMigrations, createDatabase } from "../migrate.ts";
import { migrations, migrationsBefore } from "../testing/migrations-before.ts";
import { findCandidates } from "./find-candidates.ts";

/** Until then a reference was compared with the signs in it that cannot be seen. */
const searchAsTyped = "20261123001500_search_as_typed";
const [accountId, shipmentId, containerId] = [randomUUID(), randomUUID(), randomUUID()];
let database: Database;

beforeAll(async () => {
  const url = `${testPostgresUrl()}/migrate_${randomUUID().replaceAll("-", "")}`;
  await createDatabase(url);
  database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
  await applyMigrations(url, migrationsBefore(searchAsTyped));
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Before', now())", [
    accountId,
  ]);
  await database.pool.query(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac, ref_numbers,
       created_at, updated_at)
     VALUES ($1, $2, 'KITE1', 'KITE1', 'bill_of_lading', 'SBXL', $3, now(), now())`,
    [accountId, shipmentId, ["PO 7", "po\u200b 7\u200b", "lot\u2060-1 \ufeff"]],
  );
  await database.pool.query(
    `INSERT INTO containers (account_id, id, shipment_id, number, ref_numbers, created_at, updated_at)
     VALUES ($1, $2, $3, 'MSCU1234567', $4, now(), now())`,
    [accountId, containerId, shipmentId, ["box\u200e 9"]],
  );
  expect(await applyMigrations(url, migrations)).toContain(searchAsTyped);
});
afterAll(() => database.close());

test.each([
  ["po 7", "exact_shipment"],
  ["lot-1", "exact_shipment"],
  ["box 9", "exact_shipment"],
  ["ot-1", "partial_shipment"],
])("what was stored before is found without the signs that cannot be seen: %s", async (typed, rule) => {
  const query = readSearchQuery(typed);
  if (!query) throw new Error("not a query");
  const candidates = await findCandidates(database.tenantSql, accountId, query);
  expect(resolveIdentifier(query, candidates)).toMatchObject({ rule, shipmentId });
});

test("an edit afterwards leaves no key of what it replaced", async () => {
  await database.pool.query("UPDATE shipments SET ref_numbers = '{}'");
  await database.pool.query("UPDATE containers SET ref_numbers = '{}'");
  const { rows } = await database.pool.query("SELECT key FROM search_keys WHERE key LIKE 'reference:%'");
  expect(rows).toEqual([]);
});
