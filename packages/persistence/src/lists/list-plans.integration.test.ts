import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createContainerRepository } from "../containers/container-repository.ts";
import type { Database } from "../database.ts";
import { createNotificationReader } from "../notifications/notification-reader.ts";
import { addAccount } from "../search/testing/shipments.ts";
import { createShipmentRepository } from "../shipments/shipment-repository.ts";
import type { AccountSql } from "../sql.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createTrackingRequestRepository } from "../tracking-requests/tracking-request-repository.ts";
import { byId, type PlanWatch, watchPlans } from "./testing/list-plans.ts";

/** Rows of each table in each account; what is filtered by is in every five-hundredth. */
const size = 4_000;
const rare = "n % 500 = 7";

let database: Database;
let plans: PlanWatch;
let account: string;
let rarePort: string;

beforeAll(async () => {
  const opened = await openTestDatabase({ applicationName: "plan-test" });
  database = opened.database;
  plans = watchPlans(opened.options, database.tenantSql, [
    "shipments",
    "containers",
    "tracking_requests",
    "webhook_notifications",
  ]);
  const ports = `INSERT INTO ports (id, locode, name, country_code, source)
    SELECT gen_random_uuid(), code, code, 'NL', 'core' FROM unnest(ARRAY['NLRTM', 'NLAMS']) AS code RETURNING id, locode`;
  const { rows } = await database.pool.query<{ id: string; locode: string }>(ports);
  const idOf = (locode: string) => rows.find((row) => row.locode === locode)?.id ?? "";
  rarePort = idOf("NLAMS");
  for (let place = 0; place < 3; place++) {
    account = await addAccount(database);
    await fill(account, idOf("NLRTM"));
  }
  await database.pool.query("VACUUM ANALYZE");
}, 120_000);
afterAll(() => Promise.all([database.close(), plans.close()]));

async function fill(accountId: string, usualPort: string): Promise<void> {
  const run = (text: string, ...values: string[]) => database.pool.query(text, [accountId, ...values]);
  const at = "timestamptz '2026-01-01' + n * interval '1 minute'";
  await run(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, booking_number, number_kind,
       shipping_line_scac, ref_numbers, tags, port_of_discharge_id, pol_etd_at, pol_atd_at, pod_eta_at, line_tracking_stopped_at,
       line_tracking_stopped_reason, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'LARG' || n, 'LARG' || n, 'BOOK' || n, 'bill_of_lading',
       CASE WHEN ${rare} THEN 'RARE' ELSE 'SBXL' END, ARRAY['ORDER ' || n], ARRAY[CASE WHEN ${rare} THEN 'rare' ELSE 'usual' END],
       CASE WHEN ${rare} THEN $3::uuid ELSE $2::uuid END, ${at}, CASE WHEN NOT ${rare} THEN ${at} END,
       CASE WHEN ${rare} THEN ${at} + interval '1 year' WHEN n % 3 > 0 THEN ${at} END, CASE WHEN ${rare} THEN ${at} END, CASE WHEN ${rare} THEN 'cancelled_by_user' END, ${at}, ${at}
     FROM generate_series(1, ${size}) AS n`,
    usualPort,
    rarePort,
  );
  await run(
    `INSERT INTO containers (account_id, id, shipment_id, number, ref_numbers, current_status, holds_at_pod_terminal,
       available_for_pickup, pickup_lfd, created_at, updated_at)
     SELECT s.account_id, gen_random_uuid(), s.id, 'BIGU' || n, ARRAY['BOX ' || n], CASE WHEN ${rare} THEN 'on_rail' ELSE 'new' END,
       CASE WHEN ${rare} THEN '[{}]'::jsonb ELSE '[]' END, ${rare}, CASE WHEN ${rare} THEN ${at} END, s.created_at, s.updated_at
     FROM shipments s CROSS JOIN LATERAL (SELECT substr(s.normalized_number, 5)::int AS n) AS number WHERE s.account_id = $1`,
  );
  await run(
    `INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'bill_of_lading', 'LARG' || n, 'LARG' || n, 'SBXL',
       CASE WHEN ${rare} THEN 'failed' ELSE 'created' END, ${at}, ${at} FROM generate_series(1, ${size}) AS n`,
  );
  await run(
    `WITH events AS (
       INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
       SELECT $1, gen_random_uuid(), CASE WHEN ${rare} THEN 'shipment.estimated.arrival' ELSE 'container.updated' END, 'shipment', $1,
         '[]', ${at} FROM generate_series(1, ${size}) AS n RETURNING *),
     notifications AS (
       INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
       SELECT account_id, gen_random_uuid(), CASE WHEN event = 'container.updated' THEN $2::uuid ELSE $3::uuid END, id, event,
         created_at FROM events RETURNING *)
     INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status, created_at)
     SELECT account_id, id, webhook_id, event_id, 'failed', created_at FROM notifications WHERE event <> 'container.updated'`,
    usualPort,
    rarePort,
  );
}

const late = "2026-01-03T18:00:00.000Z" as never;

const shipmentFilters = {
  none: {},
  status: { status: ["awaiting_departure"] },
  port: { port: ["NLAMS"] },
  carrier: { carrier: ["RARE"] },
  updatedAfter: { updatedAfter: late },
  createdAfter: { createdAfter: late },
  arrivalAfter: { arrivalAfter: "2026-06-01T00:00:00.000Z" as never },
  arrivalBefore: { arrivalBefore: "2026-01-01T01:00:00.000Z" as never },
  number: { number: ["LARG77"] },
  "booking number": { number: ["BOOK77"] },
  refNumber: { refNumber: ["ORDER 77"] },
  tag: { tag: ["rare"] },
  stopped: { trackingStopped: true },
  running: { trackingStopped: false },
} as const;
const containerFilters = {
  none: {},
  status: { status: ["on_rail"] },
  port: { port: ["NLAMS"] },
  carrier: { carrier: ["RARE"] },
  updatedAfter: { updatedAfter: late },
  createdAfter: { createdAfter: late },
  number: { number: ["BIGU77"] },
  refNumber: { refNumber: ["BOX 77"] },
  tag: { tag: ["rare"] },
  stopped: { trackingStopped: true },
  pickupLfdBefore: { pickupLfdBefore: late },
  hasHolds: { hasHolds: true },
  availableForPickup: { availableForPickup: true },
} as const;
const requestFilters = {
  none: {},
  status: { status: ["failed"] },
  requestNumber: { requestNumber: ["LARG77"] },
  createdFrom: { createdFrom: late },
  createdTo: { createdTo: "2026-01-01T01:00:00.000Z" as never },
} as const;
const notificationFilters = {
  none: {},
  deliveryStatus: { deliveryStatus: ["failed"] },
  event: { event: ["shipment.estimated.arrival"] },
} as const;

const shipmentsOf = (sql: AccountSql, filters: object, page: never) =>
  createShipmentRepository(sql).list(account, filters, page);

describe("no list reads, discards or sorts what grows with the account", () => {
  const both = ["created_at", "updated_at"];

  test("shipments", async () => {
    expect(await plans.growingOf<object>(shipmentFilters, [...both, "arrival"], shipmentsOf)).toEqual([]);
  });

  test("how many shipments are how far", async () => {
    const count = (sql: AccountSql, filters: object) => createShipmentRepository(sql).countByStatus(account, filters);
    expect(await plans.growingOf<object>(shipmentFilters, ["created_at"], count)).toEqual([]);
  });

  test("containers", async () => {
    const list = (sql: AccountSql, filters: object, page: never) =>
      createContainerRepository(sql).list(account, filters, page);
    expect(await plans.growingOf<object>(containerFilters, both, list)).toEqual([]);
  });

  test("tracking requests", async () => {
    const list = (sql: AccountSql, filters: object, page: never) =>
      createTrackingRequestRepository(sql).list(account, filters, page);
    expect(await plans.growingOf<object>(requestFilters, both, list)).toEqual([]);
  });

  test("notifications", async () => {
    const list = (sql: AccountSql, filters: object, page: never) =>
      createNotificationReader(sql).list(account, filters, byId(page));
    expect(await plans.growingOf<object>(notificationFilters, ["created_at"], list)).toEqual([]);
  });
});

test.each([
  ["shipments_tags", "tag"],
  ["shipments_arrival", "none"],
  ["shipments_arrival", "arrivalBefore"],
  ["shipments_account_id_updated_at_id_idx", "none"],
  ["shipments_ref_numbers", "refNumber"],
] as const)("without the index %s the list filtered by %s is told", async (index, name) => {
  const [{ text } = { text: "" }] = (
    await database.pool.query<{ text: string }>("SELECT indexdef AS text FROM pg_indexes WHERE indexname = $1", [index])
  ).rows;
  await database.pool.query(`DROP INDEX ${index}`);
  try {
    const found = await plans.growingOf<object>(
      { [name]: shipmentFilters[name] },
      ["created_at", "updated_at", "arrival"],
      shipmentsOf,
    );
    expect(found).not.toEqual([]);
  } finally {
    await database.pool.query(text);
  }
});
