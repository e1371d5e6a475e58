import { beforeAll, expect, test } from "@jest/globals";
import type { Instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { createExceptionRepository, type ExceptionFilters } from "../exceptions/exception-repository.ts";
import type { AccountSql } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { watchPlans } from "./testing/list-plans.ts";

/** Shipments of each account, each with a resolved exception; one in forty has one that is open, too. */
const size = 4_000;
const rare = "n % 500 = 7";
const isOpen = "n % 40 = 7";
const [owner, customer, port] = [
  "0199f0a0-0000-7000-8000-000000000011",
  "0199f0a0-0000-7000-8000-000000000012",
  "0199f0a0-0000-7000-8000-000000000013",
];
const now = "2026-01-03T18:00:00.000Z" as Instant;

let account: string;
let found: readonly string[];

const database = started(() => openTestDatabase({ applicationName: "plan-test" }));
const plans = started(() =>
  watchPlans(database.options, database.tenantSql, ["exceptions", "shipments", "containers", "tracking_requests"]),
);
beforeAll(async () => {
  await database.pool.query(
    "INSERT INTO ports (id, locode, name, country_code, source) VALUES ($1, 'NLAMS', 'Amsterdam', 'NL', 'core')",
    [port],
  );
  for (let place = 0; place < 3; place++) {
    account = await addAccount(database);
    await fill(account);
  }
  await database.pool.query("VACUUM ANALYZE");
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM shipments WHERE account_id = $1 AND shipping_line_scac = 'RARE'",
    [account],
  );
  found = rows.map(({ id }) => id);
}, 120_000);

async function fill(accountId: string): Promise<void> {
  const run = (text: string, ...values: unknown[]) => database.pool.query(text, [accountId, ...values]);
  const at = "timestamptz '2026-01-01' + n * interval '1 minute'";
  const shipmentSource = `FROM shipments s
    CROSS JOIN LATERAL (SELECT substr(s.normalized_number, 5)::int AS n) AS number
    WHERE s.account_id = $1`;
  await run(
    `INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
     VALUES ($1, $2, 'Nordic Furniture', now(), now())`,
    customer,
  );
  await run(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
       tags, customer_id, port_of_discharge_id, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'LARG' || n, 'LARG' || n, 'bill_of_lading',
       CASE WHEN ${rare} THEN 'RARE' ELSE 'SBXL' END, ARRAY[CASE WHEN ${rare} THEN 'rare' ELSE 'usual' END],
       CASE WHEN ${rare} THEN $2::uuid END, CASE WHEN ${rare} THEN $3::uuid END, ${at}, ${at}
     FROM generate_series(1, ${size}) AS n`,
    customer,
    port,
  );
  await run(
    `INSERT INTO containers (account_id, id, shipment_id, number, created_at, updated_at)
     SELECT $1, gen_random_uuid(), s.id, 'BIGU' || n, s.created_at, s.updated_at ${shipmentSource}`,
  );
  await run(
    `INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
       created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'bill_of_lading', 'LARG' || n, 'LARG' || n, 'SBXL', 'created', ${at}, ${at}
     FROM generate_series(1, ${size}) AS n`,
  );
  const columns = `account_id, id, kind, severity, priority, subject_id, shipment_id, container_id, details, opened_at,
    created_at, updated_at`;
  const containerSource = shipmentSource.replace("WHERE", "JOIN containers c ON c.shipment_id = s.id WHERE");
  const values = `$1, gen_random_uuid(), CASE WHEN ${rare} THEN 'fee' ELSE 'eta_delay' END,
    CASE WHEN ${rare} THEN 'critical' ELSE 'warning' END, n, c.id, s.id, c.id, '{}'::jsonb, ${at}, ${at}, ${at}`;
  await run(
    `INSERT INTO exceptions (${columns}, ended_at, resolved_at, resolution)
     SELECT ${values}, ${at}, ${at}, 'cleared' ${containerSource}`,
  );
  await run(
    `INSERT INTO exceptions (${columns}, owner_user_id)
     SELECT ${values}, CASE WHEN ${rare} THEN $2::uuid END ${containerSource} AND ${isOpen}`,
    owner,
  );
}

type Narrowing = Omit<ExceptionFilters, "status" | "resolution">;

const containerText = { containerNumber: "BIGU7", number: "BIGU7", text: "BIGU7" };

/** The compiler reports a missing filter. */
const filters = (): { readonly [Key in keyof Narrowing]-?: Exclude<Narrowing[Key], undefined> } => ({
  kind: ["fee"],
  severity: ["critical"],
  owner: [owner],
  shipment: found.slice(0, 1),
  container: found.slice(0, 1),
  trackingRequest: found.slice(0, 1),
  openedAfter: now,
  ended: false,
  superseded: false,
  carrier: ["RARE"],
  customer: ["Nordic"],
  customerName: ["Nordic Furniture"],
  tag: ["rare"],
  portOfDischarge: ["NLAMS"],
  foundSubject: found,
  containerText,
});

test("reads only open exceptions for their queue, with every filter", async () => {
  const filterCases: Record<string, ExceptionFilters> = { none: { status: ["open"] } };
  for (const [key, value] of Object.entries(filters())) filterCases[key] = { status: ["open"], [key]: value };
  filterCases.search = { status: ["open"], foundSubject: found, containerText };
  const list = (sql: AccountSql, requested: ExceptionFilters, page: never) =>
    createExceptionRepository(sql).list(account, requested, page, now);
  const inOrder: typeof list = (sql, requested, page: { position: { row?: object } }) =>
    list(sql, requested, {
      ...page,
      position: page.position.row ? { ...page.position, row: { ...page.position.row, value: "2000" } } : page.position,
    } as never);
  expect(await plans.growingOf(filterCases, ["priority"], inOrder)).toEqual([]);
});
