import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createCustomFieldRepository } from "../custom-fields/custom-field-repository.ts";
import { createCustomFieldDefinitionRepository } from "../custom-fields/definition-repository.ts";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { addShipment } from "./testing/shipments.ts";

const database = started(openTestDatabase);
const definitions = started(async () => createCustomFieldDefinitionRepository(database.tenantSql));
const fields = started(async () => createCustomFieldRepository(database.tenantSql));
const now = instant("2026-06-01T00:00:00.000Z");
const repair = fs.readFileSync(
  fileURLToPath(
    new URL(
      "../../prisma/migrations/20261130000001_repair_search_keys_of_custom_fields/migration.sql",
      import.meta.url,
    ),
  ),
  "utf8",
);

let account: string;
let definitionId: string;
let shipmentId: string;
let containerId: string;

beforeEach(async () => {
  account = await addAccount(database);
  definitionId = uuidV7.next();
  const none = { description: null, referenceType: null, validation: null, defaultFormat: null, defaultValue: null };
  const text = { entityType: "Container", apiSlug: "file", displayName: "File", dataType: "short_text" } as const;
  await definitions.create(account, { id: definitionId, ...text, createdAt: now, ...none });
  const shipment = await addShipment(database, account, { containers: ["KEYU0000001"] });
  shipmentId = shipment.id;
  containerId = shipment.containerIds[0] ?? "";
});

const write = (id: string, value: string) =>
  fields.create(account, uuidV7.next(), { definitionId, entity: { type: "Container", id }, value, now });
const remove = (id: string) =>
  database.pool.query("DELETE FROM custom_fields WHERE account_id = $1 AND entity_id = $2", [account, id]);

/** Containers by their keys, without the definition. */
async function keys(): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    `SELECT split_part(key, ':', 3) || ' of ' || container_id AS key FROM search_keys
     WHERE account_id = $1 AND starts_with(key, 'field:') ORDER BY key`,
    [account],
  );
  return rows.map(({ key }) => key);
}
const addKey = (text: string) =>
  database.pool.query(
    `INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
     SELECT $1, custom_field_key($2, to_jsonb($3::text)), made_at, shipment, number, container
     FROM custom_field_record($1, 'Container', $4)`,
    [account, definitionId, text, containerId],
  );

test("gives containers that had the same number one after the other a key each", async () => {
  await write(containerId, "Red");
  await database.prisma.container.updateMany({ where: { id: containerId }, data: { number: "KEYU0000002" } });
  const stamps = { createdAt: new Date(now), updatedAt: new Date(now) };
  const second = uuidV7.next();
  await database.prisma.container.create({
    data: { accountId: account, id: second, shipmentId, number: "KEYU0000001", ...stamps },
  });
  await write(second, "Red");
  expect(await keys()).toEqual([`RED of ${containerId}`, `RED of ${second}`].toSorted());
  await remove(containerId);
  expect(await keys()).toEqual([`RED of ${second}`]);
});

test("repairs keys: deletes those without a value and adds missing ones", async () => {
  await write(containerId, "Kept");
  await addKey("DELETED BEFORE");
  await database.pool.query(repair);
  expect(await keys()).toEqual([`KEPT of ${containerId}`]);
  await database.pool.query("DELETE FROM search_keys WHERE account_id = $1", [account]);
  await database.pool.query(repair);
  expect(await keys()).toEqual([`KEPT of ${containerId}`]);
});

test("keeps in a repair the key of a value that is written meanwhile", async () => {
  await addKey("AGAIN");
  const writer = await database.pool.connect();
  await writer.query("BEGIN");
  await writer.query(
    `INSERT INTO custom_fields (account_id, id, definition_id, entity_type, entity_id, value, created_at, updated_at)
     VALUES ($1, uuidv7(), $2, 'Container', $3, '"Again"', now(), now())`,
    [account, definitionId, containerId],
  );
  const repaired = database.pool.query(repair);
  await eventually("the repair waits for the writer", async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND l.relation = 'custom_fields'::regclass AND NOT l.granted`,
    );
    return rows.length === 1;
  });
  await writer.query("COMMIT");
  writer.release();
  await repaired;
  expect(await keys()).toEqual([`AGAIN of ${containerId}`]);
});
