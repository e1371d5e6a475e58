import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { createCarrierConnectionRepository } from "../carrier-connections/carrier-connection-repository.ts";
import { createCustomFieldRepository } from "../custom-fields/custom-field-repository.ts";
import { createCustomFieldDefinitionRepository } from "../custom-fields/definition-repository.ts";
import { createCustomFieldOptionRepository } from "../custom-fields/option-repository.ts";
import { createFieldHistoryReader } from "../history/field-history-reader.ts";
import { createDeliveryLog } from "../notifications/delivery-log.ts";
import { createNotificationFeed } from "../notifications/notification-feed.ts";
import { createPartyRepository } from "../parties/party-repository.ts";
import { createSecretBox } from "../secret-box.ts";
import type { AccountSql } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createRawEventReader } from "../transport-events/raw-event-reader.ts";
import { createTransportEventRepository } from "../transport-events/transport-event-repository.ts";
import { createWebhookNotices } from "../webhooks/webhook-notices.ts";
import { createWebhookRepository } from "../webhooks/webhook-repository.ts";
import { byId, watchPlans } from "./testing/list-plans.ts";

/** Number of parents in each account, and of their parts. */
const parents = 100;
const partsPerParent = 40;

const tables = [
  "parties",
  "webhooks",
  "custom_field_definitions",
  "custom_field_options",
  "custom_fields",
  "transport_events",
  "observations",
  "field_facts",
  "webhook_notices",
  "webhook_notifications",
  "webhook_attempts",
];

let account: string;
/** The id of one parent of each kind; all have the same id. */
let parent: string;

const database = started(() => openTestDatabase({ applicationName: "plan-test" }));
const plans = started(() => watchPlans(database.options, database.tenantSql, tables));
beforeAll(async () => {
  for (let place = 0; place < 3; place++) {
    account = await addAccount(database);
    await fill(account);
  }
  parent = await oneParent();
  await addOthers();
  await database.pool.query("VACUUM ANALYZE");
});

/** The rows of these tables are so short that the planner counts a third of them by a sequential scan. */
async function addOthers(): Promise<void> {
  const others = "FROM generate_series(1, 30000)";
  await database.pool.query(
    `INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'Customer', now(), now() ${others}`,
  );
  await database.pool.query(
    `INSERT INTO webhooks (account_id, id, url, events, sealed_secret, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'https://example.com', '{*}', '', now(), now() ${others}`,
  );
  await database.pool.query(
    `INSERT INTO custom_field_definitions
       (account_id, id, entity_type, api_slug, display_name, data_type, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'Shipment', 'field', 'Field', 'enum', now(), now() ${others}`,
  );
}

async function oneParent(): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM shipments WHERE account_id = $1 ORDER BY id LIMIT 1",
    [account],
  );
  return rows[0]?.id ?? "";
}

async function fill(accountId: string): Promise<void> {
  const at = "timestamptz '2026-01-01' + n * interval '1 minute'";
  const { rows } = await database.pool.query<{ ids: string[] }>(
    "SELECT array_agg(gen_random_uuid()) AS ids FROM generate_series(1, $1::int)",
    [parents],
  );
  const ids = rows[0]?.ids;
  const insertParents = (insert: string) =>
    database.pool.query(
      insert.replace(
        "FROM parents",
        "FROM (SELECT id, n::int FROM unnest($2::uuid[]) WITH ORDINALITY AS p(id, n)) AS parents",
      ),
      [accountId, ids],
    );
  const insertParts = (insert: string) =>
    database.pool.query(
      insert.replace(
        "FROM parts",
        `FROM (SELECT id AS parent, p.n * ${partsPerParent} + m AS n, m
           FROM unnest($2::uuid[]) WITH ORDINALITY AS p(id, n)
           CROSS JOIN generate_series(1, ${partsPerParent}) AS m) AS parts`,
      ),
      [accountId, ids],
    );
  await insertParts(`INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'Customer ' || n, ${at}, ${at} FROM parts WHERE $2 IS NOT NULL`);
  await insertParents(`INSERT INTO webhooks (account_id, id, url, events, sealed_secret, created_at, updated_at)
    SELECT $1, id, 'https://example.com', '{*}', '', ${at}, ${at} FROM parents`);
  await insertParts(`INSERT INTO webhooks (account_id, id, url, events, sealed_secret, created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'https://example.com', '{*}', '', ${at}, ${at} FROM parts WHERE $2 IS NOT NULL`);
  await insertParents(`INSERT INTO custom_field_definitions
    (account_id, id, entity_type, api_slug, display_name, data_type,
    created_at, updated_at)
    SELECT $1, id, 'Shipment', 'field' || n, 'Field', 'enum', ${at}, ${at} FROM parents`);
  await insertParts(`INSERT INTO custom_field_definitions
    (account_id, id, entity_type, api_slug, display_name, data_type,
    created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'Container', 'part' || n, 'Field', 'enum', ${at}, ${at} FROM parts
      WHERE $2 IS NOT NULL`);
  await insertParts(`INSERT INTO custom_field_options
    (account_id, id, definition_id, label, value, created_at, updated_at)
    SELECT $1, gen_random_uuid(), parent, 'Label', 'value' || n, ${at}, ${at} FROM parts`);
  await insertParts(`INSERT INTO custom_fields
    (account_id, id, definition_id, entity_type, entity_id, value, created_at,
    updated_at)
    SELECT $1, gen_random_uuid(), parent, 'Shipment', md5('entity' || m)::uuid, '1', ${at}, ${at} FROM parts`);
  await insertParts(`INSERT INTO transport_events (account_id, id, shipment_id, container_id, event, milestone_key,
    data_source, created_at)
    SELECT $1, gen_random_uuid(), parent, parent, 'full_in', n::text, 'shipping_line', ${at} FROM parts`);
  await insertParents(`INSERT INTO shipments (account_id, id, subject_id, bill_of_lading_number, normalized_number,
    number_kind,
      shipping_line_scac, created_at, updated_at)
    SELECT $1, id, id, 'B' || n, 'B' || n, 'bill_of_lading', 'SBXL', ${at}, ${at} FROM parents`);
  await insertParents(`INSERT INTO containers (account_id, id, shipment_id, number, created_at, updated_at)
    SELECT $1, id, id, 'BIGU' || n, ${at}, ${at} FROM parents`);
  await insertParts(`INSERT INTO observations (account_id, id, subject_id, raw_reply_id, value_hash, observed_at, fact)
    SELECT $1, gen_random_uuid(), parent, parent, gen_random_uuid()::text::bytea, ${at}, '{}' FROM parts`);
  await insertParts(`INSERT INTO field_facts (account_id, id, subject_type, subject_id, field, rule, data_source,
    valid_from, superseded_at)
    SELECT $1, gen_random_uuid(), 'shipment', parent, 'podEtaAt', 'rule', 'shipping_line', ${at},
      ${at} + interval '1 minute' FROM parts`);
  await insertParts(`INSERT INTO webhook_notices
    (account_id, id, webhook_id, url, kind, consecutive_failures, created_at)
    SELECT $1, gen_random_uuid(), parent, '', 'failing', 1, ${at} FROM parts`);
  await insertParts(`INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included,
    created_at)
    SELECT $1, md5('event' || n)::uuid, 'container.created', 'container', parent, '[]', ${at} FROM parts`);
  await insertParts(`INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
    SELECT $1, CASE WHEN m = 1 THEN parent ELSE gen_random_uuid() END, parent, md5('event' || n)::uuid,
      'container.created', ${at} FROM parts`);
  await insertParts(`INSERT INTO webhook_attempts
    (account_id, id, notification_id, webhook_id, attempt_number, started_at,
    outcome, url, request_headers)
    SELECT $1, gen_random_uuid(), parent, parent, m, now(), 'failed', '', '{}' FROM parts`);
}

type List = (sql: AccountSql, page: never) => Promise<unknown>;
const box = createSecretBox(Buffer.alloc(32, 1).toString("base64"));

test.each<[string, string, List]>([
  ["parties", "created_at", (sql, page) => createPartyRepository(sql).list(account, {}, page)],
  ["webhooks", "created_at", (sql, page) => createWebhookRepository(sql, box).list(account, page)],
  ["carrier connections", "created_at", (sql, page) => createCarrierConnectionRepository(sql, box).list(account, page)],
  ["definitions", "created_at", (sql, page) => createCustomFieldDefinitionRepository(sql).list(account, {}, page)],
  ["options", "created_at", (sql, page) => createCustomFieldOptionRepository(sql).list(account, parent, page)],
  ["custom fields", "created_at", (sql, page) => createCustomFieldRepository(sql).list(account, {}, page)],
  [
    "custom fields of a definition",
    "created_at",
    (sql, page) => createCustomFieldRepository(sql).list(account, { definitionId: [parent] }, page),
  ],
  [
    "transport events",
    "created_at",
    (sql, page) => createTransportEventRepository(sql).listOfContainer(account, parent, page),
  ],
  ["raw events", "created_at", (sql, page) => createRawEventReader(sql).listOfContainer(account, parent, byId(page))],
  ["history", "valid_from", (sql, page) => createFieldHistoryReader(sql).list(account, parent, undefined, page)],
  ["notices", "created_at", (sql, page) => createWebhookNotices(sql).list(account, parent, page)],
  ["feed", "delivery_order", (sql, page) => createNotificationFeed(sql).list(account, parent, inOrder(page))],
  ["attempts", "attempt_number", (sql, page) => createDeliveryLog(sql).listAttempts(account, parent, inOrder(page))],
])("reads the list of %s without work that grows with the account", async (_name, sortBy, list) => {
  expect(await plans.growingOf({ all: null }, [sortBy], (sql, _filters, page) => list(sql, page))).toEqual([]);
});

/** Returns the page request with a position for a list whose sort key is a number. */
function inOrder(page: {
  readonly position: { readonly kind: string; readonly row?: { readonly id: string } };
}): never {
  const { position } = page;
  return {
    ...page,
    position: position.row ? { ...position, row: { ...position.row, value: "20" } } : position,
  } as never;
}
