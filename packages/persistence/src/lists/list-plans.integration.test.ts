import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import type { ContainerFilters } from "../containers/container-filters.ts";
import { type ContainerSortKey, createContainerRepository } from "../containers/container-repository.ts";
import { createNotificationReader, type NotificationFilters } from "../notifications/notification-reader.ts";
import { createShipmentOverviewReader } from "../overviews/overview-reader.ts";
import type { ShipmentFilters } from "../shipments/shipment-filters.ts";
import { createShipmentRepository, type ShipmentSortKey } from "../shipments/shipment-repository.ts";
import type { AccountSql } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import {
  createTrackingRequestRepository,
  type TrackingRequestFilters,
  type TrackingRequestSortKey,
} from "../tracking-requests/tracking-request-repository.ts";
import { byId, watchPlans } from "./testing/list-plans.ts";

/** Number of rows of each table in each account; every five-hundredth matches the filters. */
const size = 4_000;
const rare = "n % 500 = 7";
const [commonWebhook, rareWebhook] = ["0199f0a0-0000-7000-8000-000000000011", "0199f0a0-0000-7000-8000-000000000012"];

let account: string;
let rarePort: string;

const database = started(() => openTestDatabase({ applicationName: "plan-test" }));
const plans = started(() =>
  watchPlans(database.options, database.tenantSql, [
    "shipments",
    "containers",
    "tracking_requests",
    "webhook_notifications",
    "webhook_deliveries",
  ]),
);
beforeAll(async () => {
  const ports = `INSERT INTO ports (id, locode, name, country_code, source)
    SELECT gen_random_uuid(), code, code, 'NL', 'core' FROM unnest(ARRAY['NLRTM', 'NLAMS']) AS code
      RETURNING id, locode`;
  const { rows } = await database.pool.query<{ id: string; locode: string }>(ports);
  const idOf = (locode: string) => rows.find((row) => row.locode === locode)?.id ?? "";
  rarePort = idOf("NLAMS");
  for (let place = 0; place < 3; place++) {
    account = await addAccount(database);
    await fill(account, idOf("NLRTM"));
  }
  await addOtherAccountsRows();
  await database.pool.query("VACUUM ANALYZE");
}, 120_000);

/**
 * A small table is read whole in any case: a table of deliveries that fits on one page, and the few events of the test
 * rather than each partition of events by its index.
 */
async function addOtherAccountsRows(): Promise<void> {
  await database.pool.query(
    `INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'container.updated', 'shipment', gen_random_uuid(), '[]', now()
       FROM generate_series(1, 10 * $1::int)`,
    [size],
  );
  await database.pool.query(
    `INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'failed', now()
       FROM generate_series(1, $1::int)`,
    [size],
  );
}

async function fill(accountId: string, commonPort: string): Promise<void> {
  const run = (text: string, ...values: string[]) => database.pool.query(text, [accountId, ...values]);
  const at = "timestamptz '2026-01-01' + n * interval '1 minute'";
  await run(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, booking_number, number_kind,
       shipping_line_scac, ref_numbers, tags, port_of_discharge_id, pol_etd_at, pol_atd_at, pod_eta_at,
       line_tracking_stopped_at, line_tracking_stopped_reason, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'LARG' || n, 'LARG' || n, 'BOOK' || n, 'bill_of_lading',
       CASE WHEN ${rare} THEN 'RARE' ELSE 'SBXL' END, ARRAY['ORDER ' || n], ARRAY[CASE WHEN ${rare} THEN 'rare'
         ELSE 'usual' END],
       CASE WHEN ${rare} THEN $3::uuid ELSE $2::uuid END, ${at}, CASE WHEN NOT ${rare} THEN ${at} END,
       CASE WHEN ${rare} THEN ${at} + interval '1 year' WHEN n % 3 > 0 THEN ${at} END, CASE
         WHEN ${rare} THEN ${at} END, CASE WHEN ${rare} THEN 'cancelled_by_user' END, ${at}, ${at}
     FROM generate_series(1, ${size}) AS n`,
    commonPort,
    rarePort,
  );
  await run(
    `INSERT INTO containers (account_id, id, shipment_id, number, ref_numbers, current_status, holds_at_pod_terminal,
       available_for_pickup, pickup_lfd, created_at, updated_at)
     SELECT s.account_id, gen_random_uuid(), s.id, 'BIGU' || n, ARRAY['BOX ' || n], CASE WHEN ${rare} THEN 'on_rail'
       ELSE 'new' END,
       CASE WHEN ${rare} THEN '[{}]'::jsonb ELSE '[]' END, ${rare}, CASE
         WHEN ${rare} THEN ${at} END, s.created_at, s.updated_at
     FROM shipments s CROSS JOIN LATERAL (SELECT substr(s.normalized_number, 5)::int AS n) AS number
       WHERE s.account_id = $1`,
  );
  await run(
    `INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
      created_at, updated_at)
     SELECT $1, gen_random_uuid(), CASE WHEN ${rare} THEN 'booking_number'
       ELSE 'bill_of_lading' END, 'LARG' || n, 'LARG' || n,
       CASE WHEN ${rare} THEN 'RARE' ELSE 'SBXL' END, CASE WHEN ${rare} THEN 'failed' ELSE 'created' END, ${at}, ${at}
     FROM generate_series(1, ${size}) AS n`,
  );
  await run(
    `WITH events AS (
       INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
       SELECT $1, gen_random_uuid(), CASE WHEN ${rare} THEN 'shipment.estimated.arrival'
         ELSE 'container.updated' END, 'shipment', $1, '[]', ${at} FROM generate_series(1, ${size}) AS n RETURNING *),
     notifications AS (
       INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
       SELECT account_id, uuidv7(created_at - now()), CASE WHEN event = 'container.updated' THEN $2::uuid
         ELSE $3::uuid END, id, event, created_at FROM events RETURNING *)
     INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status, created_at)
     SELECT account_id, id, webhook_id, event_id, 'failed', created_at FROM notifications
       WHERE event <> 'container.updated'`,
    commonWebhook,
    rareWebhook,
  );
}

const [early, late] = ["2026-01-01T01:00:00.000Z", "2026-01-03T18:00:00.000Z"] as [Instant, Instant];

/** The tested value of every filter; the compiler reports a missing filter. */
type FilterValues<Filters> = { readonly [Key in keyof Filters]-?: readonly Exclude<Filters[Key], undefined>[] };

const shipmentFilters: FilterValues<ShipmentFilters> = {
  id: [["0199f0a0-0000-7000-8000-000000000001"]],
  status: [["awaiting_departure"]],
  port: [["NLAMS"]],
  carrier: [["RARE"]],
  updatedAfter: [late],
  createdAfter: [late],
  arrivalAfter: ["2026-06-01T00:00:00.000Z" as Instant],
  arrivalBefore: [early],
  number: [["LARG77"], ["BOOK77"]],
  refNumber: [["ORDER 77"]],
  tag: [["rare"]],
  trackingStopped: [true, false],
};
const { id: shipment, port: endPort, number: _number, ...sharedFilters } = shipmentFilters;
const pageFilters = { ...sharedFilters, shipment, endPort };
const containerFilters: FilterValues<ContainerFilters> = {
  status: [["on_rail"]],
  port: [["NLAMS"]],
  carrier: [["RARE"]],
  updatedAfter: [late],
  createdAfter: [late],
  number: [["BIGU77"]],
  refNumber: [["BOX 77"]],
  tag: [["rare"]],
  trackingStopped: [true, false],
  pickupLfdBefore: [late],
  hasHolds: [true, false],
  availableForPickup: [true, false],
};
const requestFilters: FilterValues<TrackingRequestFilters> = {
  status: [["failed"], ["created"]],
  requestType: [["booking_number"], ["bill_of_lading"]],
  requestNumber: [["LARG77"]],
  id: [["019b7e01-b600-7000-8000-000000000001"]],
  scac: [["RARE"], ["SBXL"]],
  createdFrom: [late],
  createdTo: [early],
  updatedFrom: [late],
  updatedTo: [early],
  carrierConnected: [true, false],
  resolved: [true, false],
};
const notificationFilters: FilterValues<NotificationFilters> = {
  deliveryStatus: [["failed"], ["succeeded"]],
  event: [["shipment.estimated.arrival"], ["container.updated"]],
  webhook: [[rareWebhook], [commonWebhook]],
  createdAfter: [late],
};

/** One filter at a time, and none. */
function oneByOne<Filters extends object>(filters: FilterValues<Filters>): Readonly<Record<string, Filters>> {
  const entries = Object.entries(filters) as [keyof Filters & string, readonly unknown[]][];
  const each = entries.flatMap(([key, values]) => values.map((value) => [`${key} ${value}`, { [key]: value }]));
  return Object.fromEntries([["none", {}], ...each]);
}

/** Every sort key of a list; the compiler reports a missing key. */
const keysOf = <Key extends string>(keys: Readonly<Record<Key, true>>): string[] => Object.keys(keys);

type List = (sql: AccountSql, filters: object, page: never) => Promise<unknown>;

const listShipments: List = (sql, filters, page) => createShipmentRepository(sql).list(account, filters, page);
const listOverviews: List = (sql, filters, page) =>
  createShipmentOverviewReader(sql).list(account, filters, page, late);
const listContainers: List = (sql, filters, page) => createContainerRepository(sql).list(account, filters, page);
const listRequests: List = (sql, filters, page) => createTrackingRequestRepository(sql).list(account, filters, page);
const listNotifications: List = (sql, filters, page) =>
  createNotificationReader(sql).list(account, filters, byId(page));

const shipmentSortKeys = keysOf<ShipmentSortKey>({ created_at: true, updated_at: true, arrival: true });
const containerSortKeys = keysOf<ContainerSortKey>({ created_at: true, updated_at: true, number: true });
const requestSortKeys = keysOf<TrackingRequestSortKey>({ created_at: true, updated_at: true });

describe("no list reads, discards or sorts rows in proportion to the account", () => {
  test.each<[string, Readonly<Record<string, object>>, readonly string[], List]>([
    ["shipments", oneByOne(shipmentFilters), shipmentSortKeys, listShipments],
    ["shipment overviews, as the web application lists them", oneByOne(pageFilters), shipmentSortKeys, listOverviews],
    ["containers", oneByOne(containerFilters), containerSortKeys, listContainers],
    ["tracking requests", oneByOne(requestFilters), requestSortKeys, listRequests],
    ["notifications", oneByOne(notificationFilters), ["created_at"], listNotifications],
  ])("%s", async (_name, filters, sortKeys, list) => {
    expect(await plans.growingOf(filters, sortKeys, list)).toEqual([]);
  });

  test("count of shipments by status", async () => {
    const count = (sql: AccountSql, filters: object) =>
      createShipmentOverviewReader(sql).count(account, filters, { by: "status", upTo: 1_000 }, late);
    expect(await plans.growingOf(oneByOne(pageFilters), ["created_at"], count)).toEqual([]);
  });
});

test.each<[string, ShipmentFilters]>([
  ["shipments_tags", { tag: ["rare"] }],
  ["shipments_arrival", {}],
  ["shipments_arrival", { arrivalBefore: early }],
  ["shipments_account_id_updated_at_id_idx", {}],
  ["shipments_ref_numbers", { refNumber: ["ORDER 77"] }],
])("reports, without the index %s, the list filtered by %j", async (index, filters) => {
  const [{ text } = { text: "" }] = (
    await database.pool.query<{ text: string }>("SELECT indexdef AS text FROM pg_indexes WHERE indexname = $1", [index])
  ).rows;
  await database.pool.query(`DROP INDEX ${index}`);
  try {
    expect(await plans.growingOf({ filters }, shipmentSortKeys, listShipments)).not.toEqual([]);
  } finally {
    await database.pool.query(text);
  }
});
