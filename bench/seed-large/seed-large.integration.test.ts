import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { isValidContainerNumber, normalizeShipmentNumber } from "@svc/domain/identifiers";
import { ContainerResource } from "@svc/jsonapi/containers";
import { ShipmentResource } from "@svc/jsonapi/shipments";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { readShippingLineCatalogue } from "@svc/persistence/reference-data";
import { createTestDatabase, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { seedLarge } from "./seed-large.ts";

const root = path.resolve(import.meta.dirname, "../..");
const token = "svc_live_seeded";

interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}
interface ApiResponse {
  readonly data: readonly Resource[];
  readonly included: readonly Resource[];
  readonly links: { readonly next: string | null };
}

let database: Database;
let api: ServiceProcess | undefined;
let indexesBefore: unknown;

const seed = (target: Database) => seedLarge(target, { scale: 0.001, seed: 1, report: () => undefined });

async function rows(text: string, target: Database = database): Promise<Record<string, unknown>[]> {
  return (await target.pool.query(text)).rows;
}

const indexes = () =>
  rows(`SELECT indexdef AS text FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace ORDER BY text`);

async function connect(): Promise<{ database: Database; url: string }> {
  const url = await createTestDatabase();
  return { url, database: connectDatabase({ url, applicationName: "seed-test", onIdleError: () => undefined }) };
}

async function get(address: string): Promise<ApiResponse> {
  const response = await fetch(`${api?.url}/v2${address}`, { headers: { authorization: `Token ${token}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as ApiResponse;
}

beforeAll(async () => {
  const connected = await connect();
  database = connected.database;
  indexesBefore = await indexes();
  await seed(database);
  await database.pool.query(
    `INSERT INTO api_tokens (id, account_id, name, hint, token_sha256, scopes, created_at)
     SELECT $1, id, 'Test', 'eded', $2, '{read}', now() FROM accounts WHERE company_name = 'Seeded account 0'`,
    [uuidV7.next(), createHash("sha256").update(token).digest()],
  );
  api = await startServiceProcess(path.join(root, "apps/api/src/main.ts"), {
    DATABASE_URL: connected.url,
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
    SVC_RATE_LIMIT_DEFAULT: "10000",
    LOG_LEVEL: "warn",
  });
});
afterAll(() => Promise.all([api?.stop(), database.close()]));

describe("a seeded database contains what the product would have written", () => {
  test("has a thousandth of all rows, and no templates", async () => {
    const [counts] =
      await rows(`SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM shipments) AS shipments,
      (SELECT count(*) FROM tracking_requests) AS requests, (SELECT count(*) FROM tracking_subjects) AS subjects,
      (SELECT count(*) FROM containers) AS containers, (SELECT count(*) FROM transport_events) AS events,
      (SELECT count(*) FROM shipments WHERE normalized_number LIKE 'TEMPLATE%') AS templates`);
    expect(counts).toMatchObject({ accounts: 2, shipments: 300, requests: 300, subjects: 300, templates: 0 });
    expect(counts?.containers).toBeGreaterThan(950);
    expect(counts?.events).toBeGreaterThan(9_000);
  });

  test("has every key, index and constraint", async () => {
    expect(await indexes()).toEqual(indexesBefore);
  });

  test("has every referenced row in the same account", async () => {
    const dangling = await rows(`
      SELECT 'subject' AS what, s.id FROM shipments s LEFT JOIN tracking_subjects x
        ON x.account_id = s.account_id AND x.id = s.subject_id AND x.number = s.normalized_number WHERE x.id IS NULL
      UNION ALL SELECT 'request', s.id FROM shipments s LEFT JOIN tracking_requests r
        ON r.account_id = s.account_id AND r.shipment_id = s.id AND r.subject_id = s.subject_id WHERE r.id IS NULL
      UNION ALL SELECT 'customer', s.id FROM shipments s LEFT JOIN parties p
        ON p.account_id = s.account_id AND p.id = s.customer_id WHERE s.customer_id IS NOT NULL AND p.id IS NULL
      UNION ALL SELECT 'container', e.id FROM transport_events e LEFT JOIN containers c
        ON c.account_id = e.account_id AND c.id = e.container_id AND c.shipment_id = e.shipment_id WHERE c.id IS NULL
      UNION ALL SELECT 'previous version', e.id FROM transport_events e LEFT JOIN transport_events p
        ON p.account_id = e.account_id AND p.id = e.previous_version_id AND p.invalidated_at = e.created_at
        WHERE e.previous_version_id IS NOT NULL AND p.id IS NULL
      UNION ALL SELECT 'fact', f.id FROM field_facts f WHERE NOT EXISTS (
        SELECT FROM shipments s WHERE s.account_id = f.account_id AND s.id = f.subject_id
        UNION ALL SELECT FROM containers c WHERE c.account_id = f.account_id AND c.id = f.subject_id)`);
    expect(dangling).toEqual([]);
  });

  test("has numbers in the carriers' formats, normalised", async () => {
    const lines = await readShippingLineCatalogue(database.sql);
    const shipments = await rows("SELECT bill_of_lading_number, normalized_number, shipping_line_scac FROM shipments");
    for (const shipment of shipments) {
      const line = lines.find(({ scac }) => scac === shipment.shipping_line_scac);
      expect(line && normalizeShipmentNumber(String(shipment.bill_of_lading_number), line)).toBe(
        shipment.normalized_number,
      );
    }
    const containers = await rows("SELECT number FROM containers");
    expect(containers.filter(({ number }) => !isValidContainerNumber(String(number)))).toEqual([]);
    expect(new Set(containers.map(({ number }) => number)).size).toBe(containers.length);
  });

  test("returns them through the API in the published shape", async () => {
    const list = await get("/shipments?include=containers,containers.transport_events,pod_terminal&page[size]=100");
    expect(list.data).toHaveLength(Math.min(100, list.data.length));
    for (const shipment of list.data) expect(ShipmentResource.safeParse(shipment).error).toBeUndefined();
    const included = Map.groupBy(list.included, ({ type }) => type);
    for (const container of included.get("container") ?? []) {
      expect(ContainerResource.safeParse(container).error).toBeUndefined();
    }
    expect(included.get("transport_event")?.length).toBeGreaterThan(included.get("container")?.length ?? 0);
    const statuses = new Set((included.get("container") ?? []).map(({ attributes }) => attributes.current_status));
    expect(statuses.size).toBeGreaterThan(2);
  });

  test("has the search rows that the triggers write", async () => {
    const digest = async () => {
      const countRows = (table: string) =>
        rows(`SELECT md5(string_agg(k::text, ',' ORDER BY k::text)) AS digest, count(*) FROM ${table} k`);
      return [...(await countRows("search_keys")), ...(await countRows("search_texts"))];
    };
    const seeded = await digest();
    await database.transaction(async (sql) => {
      const run = (text: string) => sql.execute({ name: "", text }, []);
      await run("UPDATE shipments SET ref_numbers = ref_numbers || ARRAY['EDITED']");
      await run("UPDATE containers SET ref_numbers = ref_numbers || ARRAY['EDITED']");
      await run("UPDATE containers SET number = 'X' || number");
      await run("UPDATE containers SET number = substr(number, 2)");
      await run("UPDATE shipments SET ref_numbers = array_remove(ref_numbers, 'EDITED')");
      await run("UPDATE containers SET ref_numbers = array_remove(ref_numbers, 'EDITED')");
    });
    expect(await digest()).toEqual(seeded);
    expect(Number(seeded[0]?.count)).toBeGreaterThan(1_500);
  });

  test("finds each by its numbers and references", async () => {
    const [found] = await rows(`SELECT s.id, s.bill_of_lading_number AS bill, s.ref_numbers[1] AS reference, c.number
      FROM shipments s JOIN accounts a ON a.id = s.account_id AND a.company_name = 'Seeded account 0'
      JOIN containers c ON c.shipment_id = s.id ORDER BY s.created_at LIMIT 1`);
    for (const queryText of [found?.bill, found?.reference, found?.number, String(found?.number).slice(4, 10)]) {
      const { data } = await get(`/search?query=${encodeURIComponent(String(queryText))}`);
      expect(JSON.stringify(data)).toContain(String(found?.id));
    }
  });

  test("has rows for every filter", async () => {
    for (const filter of ["status=arrived_at_pod", "status=in_transit", "port=NLRTM", "carrier=MAEU", "tag=urgent"]) {
      const { data } = await get(`/shipments?filter[${filter.replace("=", "]=")}`);
      expect([filter, data.length > 0]).toEqual([filter, true]);
    }
  });
});

test("the same seed gives the same rows", async () => {
  const other = await connect();
  try {
    await seed(other.database);
    const digest = `SELECT md5(string_agg(concat_ws('|', e.account_id, e.id, e.container_id, e.event, e.occurred_at,
      e.previous_version_id,
        c.number, s.bill_of_lading_number, s.tags, s.customer_id), ',' ORDER BY e.id)) AS rows
      FROM transport_events e JOIN containers c ON c.account_id = e.account_id AND c.id = e.container_id
      JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id`;
    expect(await rows(digest, other.database)).toEqual(await rows(digest));
  } finally {
    await other.database.close();
  }
});

test("refuses a database with accounts and does not change it", async () => {
  const count = "SELECT (SELECT count(*) FROM shipments) AS shipments, (SELECT count(*) FROM accounts) AS accounts";
  const before = await rows(count);
  await expect(seed(database)).rejects.toThrow(/has accounts already/);
  expect(await rows(count)).toEqual(before);
});
