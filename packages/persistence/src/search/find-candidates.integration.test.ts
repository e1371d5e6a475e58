import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readSearchQuery, resolveIdentifier } from "@svc/domain/search";
import pg from "pg";
import type { AccountSql, AccountValues, Statement } from "../sql.ts";
import { tenantRole } from "../tenancy/account-connections.ts";
import { connectFor } from "../tenancy/testing/connect-for.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase, type TestDatabase } from "../testing/open-test-database.ts";
import { findCandidates } from "./find-candidates.ts";
import { addShipment } from "./testing/shipments.ts";

let database: TestDatabase;
/** Connections like those of searches that report the plan of each statement. */
let explainingPool: pg.Pool;
let ownAccountId: string;
let otherAccountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  const explaining = [
    "session_preload_libraries=auto_explain",
    ...["log_min_duration=0", "log_nested_statements=on", "log_analyze=on", "log_timing=off", "log_level=notice"].map(
      (setting) => `auto_explain.${setting}`,
    ),
  ];
  const settings = [`role=${tenantRole}`, ...explaining].map((setting) => `-c ${setting}`).join(" ");
  explainingPool = new pg.Pool({ connectionString: database.url, options: settings });
  ownAccountId = await addAccount(database);
  otherAccountId = await addAccount(database);
});
afterAll(() => Promise.all([database.close(), explainingPool.end()]));

async function resolve(queryText: string, accountId = ownAccountId) {
  const query = readSearchQuery(queryText);
  return query && resolveIdentifier(query, await findCandidates(database.tenantSql, accountId, query));
}

describe("finding what an identifier means, on PostgreSQL", () => {
  test("rule 1: an exact container number, spaces, dashes and case aside [spec: deep_link.1, deep_link.case, deep_link.separators]", async () => {
    const { id, containerIds } = await addShipment(database, ownAccountId, { containers: ["RULE1000001"] });
    const expected = { rule: "exact_container", shipmentId: id, containerId: containerIds[0] };
    expect(await resolve("RULE1000001")).toEqual(expected);
    expect(await resolve(" rule 100000-1 ")).toEqual(expected);
  });

  test("rule 2: a shipment number, booking number or reference, of the shipment or a container [spec: deep_link.2]", async () => {
    const { id } = await addShipment(database, ownAccountId, {
      number: "RTWO-262 175 0",
      bookingNumber: "RTWOBOOK1",
      refNumbers: ["Rule2 Ä-1"],
      containers: ["RTWO2000001"],
      containerRefNumbers: ["rule2/box"],
    });
    const expected = { rule: "exact_shipment", shipmentId: id, containerId: null };
    for (const queryText of ["rtwo2621750", "RTWO-262 175 0", "rtwo.262/1750", "rtwobook1", "rule2 ä-1", "RULE2/BOX"]) {
      expect(await resolve(queryText)).toEqual(expected);
    }
    expect(await resolve("rule2ä1")).toBeNull();
  });

  test("rules 3 and 4: a part of a container number before a part of a shipment's [spec: deep_link.3, deep_link.4]", async () => {
    const { id, containerIds } = await addShipment(database, ownAccountId, {
      number: "XPARTY1",
      containers: ["PRTU3000001"],
    });
    await addShipment(database, ownAccountId, { number: "XPRTU3", containers: [] });
    expect(await resolve("rtu3")).toEqual({ rule: "partial_container", shipmentId: id, containerId: containerIds[0] });
    expect(await resolve("party")).toEqual({ rule: "partial_shipment", shipmentId: id, containerId: null });
  });

  test("strips only spaces and dashes from container numbers [spec: deep_link.4, deep_link.separators]", async () => {
    await addShipment(database, ownAccountId, { containers: ["DOTU2612345"] });
    const { id } = await addShipment(database, ownAccountId, { refNumbers: ["DOTU26/12345"], containers: [] });
    for (const queryText of ["OTU26/123", "TU26/12345"]) {
      expect(await resolve(queryText)).toEqual({ rule: "partial_shipment", shipmentId: id, containerId: null });
    }
    for (const typed of ["DOTU.2612345", "DOTU_26", "OTU2.6"]) expect(await resolve(typed)).toBeNull();
    expect(await resolve("otu-26 1234")).toMatchObject({ rule: "partial_container" });
  });

  test("rule 5: finds nothing, whatever characters the query has [spec: deep_link.5]", async () => {
    for (const queryText of ["NOWHERE999", "%", "_____", "\\", "'; DROP TABLE shipments; --", "--", "\ud800"]) {
      expect(await resolve(queryText)).toBeNull();
    }
  });

  test("takes wildcards in a reference literally", async () => {
    const { id } = await addShipment(database, ownAccountId, { refNumbers: ["50%_off\\now"] });
    expect(await resolve("50%_off\\now")).toMatchObject({ rule: "exact_shipment", shipmentId: id });
    expect(await resolve("0%_o")).toMatchObject({ rule: "partial_shipment", shipmentId: id });
    expect(await resolve("0_%o")).toBeNull();
  });

  test("finds no shipment of another account, by any rule [spec: deep_link.account]", async () => {
    await addShipment(database, otherAccountId, {
      number: "SECRETBL1",
      refNumbers: ["SECRETREF"],
      containers: ["SECU1000001"],
    });
    for (const queryText of ["SECU1000001", "SECRETBL1", "SECRETREF", "SECU1", "SECRET"]) {
      expect(await resolve(queryText)).toBeNull();
      expect(await resolve(queryText, otherAccountId)).not.toBeNull();
    }
  });

  test("chooses the newest of several shipments, then the greater id", async () => {
    const shared = { refNumbers: ["SHARED-1"], containers: ["SHRU1000001"] };
    await addShipment(database, ownAccountId, { ...shared, createdAt: "2026-01-01T00:00:00.000Z" });
    const [, late] = [
      await addShipment(database, ownAccountId, { ...shared, createdAt: "2026-01-03T00:00:00.000Z" }),
      await addShipment(database, ownAccountId, { ...shared, createdAt: "2026-01-03T00:00:00.000Z" }),
    ];
    await addShipment(database, ownAccountId, { ...shared, createdAt: "2026-01-02T00:00:00.000Z" });
    for (const queryText of ["SHARED-1", "SHRU1000001", "SHRU1", "shared"]) {
      expect(await resolve(queryText)).toMatchObject({ shipmentId: late?.id });
    }
  });

  test("finds an edited reference at once, and the old one no longer [spec: shipments.edit.deep_link]", async () => {
    const { id } = await addShipment(database, ownAccountId, { refNumbers: ["BEFORE-EDIT"] });
    await database.prisma.shipment.updateMany({ where: { id }, data: { refNumbers: ["AFTER-EDIT"] } });
    expect(await resolve("BEFORE-EDIT")).toBeNull();
    expect(await resolve("after-edit")).toMatchObject({ rule: "exact_shipment", shipmentId: id });
  });

  test("finds a part of a container number until the container is removed", async () => {
    const { id } = await addShipment(database, ownAccountId, { containers: ["GONU1000001", "GONU1000002"] });
    expect(await resolve("onu1000002")).toMatchObject({ rule: "partial_container", shipmentId: id });
    await database.prisma.container.deleteMany({ where: { shipmentId: id, number: "GONU1000002" } });
    expect(await resolve("onu1000002")).toBeNull();
    await database.prisma.container.updateMany({ where: { shipmentId: id }, data: { number: "GONU1000003" } });
    expect(await resolve("onu1000003")).toMatchObject({ rule: "partial_container", shipmentId: id });
    await database.prisma.shipment.deleteMany({ where: { id } });
    expect(await resolve("onu1000003")).toBeNull();
    expect(await database.prisma.searchText.count({ where: { shipmentId: id } })).toBe(0);
  });

  test("finds containers that two concurrent transactions add to a shipment", async () => {
    const { id } = await addShipment(database, ownAccountId, { containers: ["TWIU1000001"] });
    const insert = {
      name: "test.insert-container",
      text: `INSERT INTO containers (account_id, id, shipment_id, number, created_at, updated_at)
        VALUES ($1, gen_random_uuid(), $2, $3, now(), now())`,
    };
    let second: Promise<unknown> = Promise.resolve();
    await database.transaction(async (sql) => {
      await sql.execute(insert, [ownAccountId, id, "TWIU1000002"]);
      second = database.transaction((other) => other.execute(insert, [ownAccountId, id, "TWIU1000003"]));
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    await second;
    for (const queryText of ["WIU1000001", "WIU1000002", "WIU1000003"]) {
      expect(await resolve(queryText)).toMatchObject({ rule: "partial_container", shipmentId: id });
    }
  });

  test("normalises case and width in the database as in the domain", async () => {
    for (const reference of [
      "straße",
      "ΟΔΟΣ ς",
      "ﬁnal",
      "ｆｕｌｌ",
      "é\u0301x",
      "ǆ 1",
      "İ1",
      "①",
      "e\u200d\u0301",
      "\u200b po\u00ad1 \u{e0020}",
    ]) {
      const { id } = await addShipment(database, ownAccountId, { refNumbers: [reference] });
      expect(await resolve(reference)).toMatchObject({ rule: "exact_shipment", shipmentId: id });
      expect(await resolve(reference.toUpperCase())).toMatchObject({ rule: "exact_shipment", shipmentId: id });
    }
  });
});

describe("in a large account", () => {
  const shipments = 8_000;
  let large: string;

  beforeAll(async () => {
    large = await addAccount(database);
    await database.pool.query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
         ref_numbers, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'LARG' || 100000 + n, 'LARG' || 100000 + n, 'bill_of_lading', 'SBXL',
         ARRAY['ORDER ' || n] || CASE WHEN n % 5 = 0 THEN ARRAY['STOCK']
           ELSE '{}' END, timestamptz '2026-01-01' + n * interval '1 minute', now()
       FROM generate_series(1, $2::int) AS n`,
      [large, shipments],
    );
    await database.pool.query(
      `INSERT INTO containers (account_id, id, shipment_id, number, ref_numbers, created_at, updated_at)
       SELECT s.account_id, gen_random_uuid(), s.id, 'BIGU' || right(s.normalized_number, 6) || k, ARRAY['BOX ' || k],
         now(), now()
       FROM shipments s CROSS JOIN generate_series(1, 2) AS k WHERE s.account_id = $1`,
      [large],
    );
    const old = { number: "LARGOLD1", refNumbers: ["Ü-Ö/é:'&"], createdAt: "2020-01-01T00:00:00.000Z" };
    await addShipment(database, large, old);
    await database.pool.query("ANALYZE shipments, containers, search_keys, search_texts");
  });

  test("finds three characters in old shipments, and two only in the newest 1,000", async () => {
    for (const queryText of ["ü-ö", "-ö/é:'", "/é:'&", "gold"]) {
      expect(await resolve(queryText, large)).toMatchObject({ rule: "partial_shipment" });
    }
    for (const typed of ["ü-", "ld"]) expect(await resolve(typed, large)).toBeNull();
  });

  test("finds references of old shipments only, and of all shipments", async () => {
    expect(await resolve("100001", large)).toMatchObject({ rule: "partial_container" });
    expect(await resolve("ORDER 12", large)).toMatchObject({ rule: "exact_shipment" });
    expect(await resolve("RDER 77", large)).toMatchObject({ rule: "partial_shipment" });
    const newest = await database.prisma.shipment.findFirst({
      where: { accountId: large },
      orderBy: { createdAt: "desc" },
    });
    for (const queryText of ["STOCK", "BIGU", "LARG", "TOC", "ORDER"]) {
      expect(await resolve(queryText, large)).toMatchObject({ shipmentId: newest?.id });
    }
  });

  /** The expected index, and the maximum number of discarded rows. */
  test.each([
    ["BIGU1000011", "containers_account_id_number_idx", 0],
    ["LARG100002", "search_keys_pkey", 0],
    ["STOCK", "search_keys_pkey", 0],
    ["ORDER 3", "search_keys_pkey", 0],
    ["BOX 2", "search_keys_pkey", 0],
    ["BIGU", "search_texts_pkey", 0],
    ["U100077", "search_texts_pieces", 250],
    ["RDER 77", "search_texts_pieces", 250],
    ["ABSENT", "search_texts_pieces", 250],
    ["QXZ", "search_texts_pieces", 250],
    ["ÜÜÜ", "search_texts_pieces", 250],
    ["Q", "search_texts_pkey", 1_000],
  ])("looks up %s by %s", async (queryText, index, discardedMax) => {
    const query = readSearchQuery(queryText);
    if (!query) throw new Error("not a query");
    const plans: string[] = [];
    const explaining: AccountSql = {
      ...database.tenantSql,
      async rows(statement, values) {
        for (const mode of ["force_custom_plan", "force_generic_plan"]) {
          plans.push(...(await explain(statement, values, mode)));
        }
        return [];
      },
    };
    await findCandidates(explaining, large, query);
    // Custom and generic plan of the statement, and of each statement of the function.
    expect(plans.length).toBeGreaterThanOrEqual(4);
    expect(plans.some((plan) => plan.includes(index))).toBe(true);
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on (shipments|containers|search_keys|search_texts).*\(actual/);
      if (index !== "search_texts_pieces") expect(plan).not.toMatch(/on search_texts_pieces.*\(actual rows=[1-9]/);
      const read = [...plan.matchAll(/ on search_texts.*\(actual rows=(\d+)/g)].map(([, count]) => Number(count));
      expect(Math.max(0, ...read)).toBeLessThanOrEqual(discardedMax || 250);
      // Rows that an index returns and a filter discards are work that grows with the account.
      const discarded = [...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)];
      expect(Math.max(0, ...discarded.map(([, count]) => Number(count)))).toBeLessThanOrEqual(discardedMax);
    }
  });
});

/** The plans of the statement and of those in its functions, custom or generic. */
async function explain(statement: Statement, values: AccountValues, mode: string): Promise<string[]> {
  const client = await connectFor(explainingPool, values[0]);
  const plans: string[] = [];
  const onNotice = (notice: { message?: string | undefined }) => plans.push(notice.message ?? "");
  client.on("notice", onNotice);
  try {
    await client.query(`SET plan_cache_mode = ${mode}`);
    await client.query(`PREPARE explained AS ${statement.text}`);
    await client.query(`EXECUTE explained(${values.map(literal).join(", ")})`);
    return plans;
  } finally {
    client.off("notice", onNotice);
    await client.query("DEALLOCATE explained");
    await client.query("RESET plan_cache_mode");
    client.release();
  }
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(", ")}]`;
  return pg.escapeLiteral(value as string);
}
