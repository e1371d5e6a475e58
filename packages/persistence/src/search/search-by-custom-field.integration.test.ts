import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { CustomFieldDataType, CustomFieldEntityType } from "@svc/domain/custom-fields";
import { readSearchQuery } from "@svc/domain/search";
import { started } from "@svc/testkit/started";
import { createCustomFieldRepository } from "../custom-fields/custom-field-repository.ts";
import { createCustomFieldDefinitionRepository } from "../custom-fields/definition-repository.ts";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { indexEntriesRead } from "../testing/index-entries-read.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { findFieldMatches } from "./find-field-matches.ts";
import { findMatchingShipments } from "./find-matching-shipments.ts";
import { addShipment } from "./testing/shipments.ts";

const database = started(() => openTestDatabase({ maxConnections: 1 }));
const definitions = started(async () => createCustomFieldDefinitionRepository(database.tenantSql));
const fields = started(async () => createCustomFieldRepository(database.tenantSql));
const now = instant("2026-06-01T00:00:00.000Z");

const queryOf = (text: string) => {
  const query = readSearchQuery(text);
  if (!query) throw new Error("not a query");
  return query;
};
const search = async (accountId: string, text: string, limit = 10) =>
  (await findMatchingShipments(database.tenantSql, accountId, queryOf(text), limit)).map(({ id }) => id);

async function define(
  accountId: string,
  apiSlug: string,
  entityType: CustomFieldEntityType = "Shipment",
  dataType: CustomFieldDataType = "short_text",
): Promise<string> {
  const id = uuidV7.next();
  const none = { description: null, referenceType: null, validation: null, defaultFormat: null, defaultValue: null };
  const definition = { id, entityType, apiSlug, displayName: apiSlug, dataType, createdAt: now, ...none };
  await definitions.create(accountId, definition);
  return id;
}
const write = (accountId: string, definitionId: string, type: CustomFieldEntityType, id: string, value: string) =>
  fields.create(accountId, uuidV7.next(), { definitionId, entity: { type, id }, value, now });

/** The connection of accounts has statistics of its own, which it sends after this statement. */
async function entriesRead(accountId: string): Promise<number> {
  const text = "SELECT pg_stat_force_next_flush() IS NULL AS sent WHERE $1::uuid IS NOT NULL";
  await database.tenantSql.rows({ name: "", text }, [accountId]);
  return indexEntriesRead(database, "search_keys");
}

describe("search by custom fields", () => {
  test("finds shipments by a text of theirs or of a container: whole, in another spelling, or its beginning", async () => {
    const account = await addAccount(database);
    const [file, gate] = [await define(account, "file"), await define(account, "gate", "Container")];
    const byShipment = await addShipment(database, account, { createdAt: "2020-03-01T00:00:00Z" });
    const byContainer = await addShipment(database, account, {
      containers: ["FLDU0000001"],
      createdAt: "2020-02-01T00:00:00Z",
    });
    await addShipment(database, account, {});
    await write(account, file, "Shipment", byShipment.id, "File 4711-b");
    await write(account, gate, "Container", byContainer.containerIds[0] ?? "", "file-4711");
    const both = [byShipment.id, byContainer.id];
    for (const text of ["file 4711", "FILE-4711", "file4711", "file.4711"]) {
      expect([text, await search(account, text)]).toEqual([text, both]);
    }
    expect(await search(account, "fil")).toEqual(both);
    expect(await search(account, "4711")).toEqual([]);
    expect(await search(account, "fi")).toEqual([]);
    const matches = await findFieldMatches(database.tenantSql, account, both, queryOf("file 4711"));
    expect([...matches].toSorted()).toEqual([byShipment.id, byContainer.containerIds[0]].toSorted());
  });

  test("says which shipments have the text in a custom field", async () => {
    const account = await addAccount(database);
    const file = await define(account, "file");
    const byField = await addShipment(database, account, { createdAt: "2026-03-01T00:00:00Z" });
    const byNumber = await addShipment(database, account, { number: "DUSK1", createdAt: "2026-02-01T00:00:00Z" });
    await write(account, file, "Shipment", byField.id, "Dusk 7");
    expect(await findMatchingShipments(database.tenantSql, account, queryOf("dusk"), 10)).toEqual([
      { id: byField.id, hasField: true, rank: 3, bookingNumber: null, mayHaveMore: false },
      { id: byNumber.id, hasField: false, rank: 1, bookingNumber: null, mayHaveMore: false },
    ]);
  });

  test("finds the newest shipments with a text, and some of those whose text it begins", async () => {
    const account = await addAccount(database);
    const order = await define(account, "order");
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) {
      const { id } = await addShipment(database, account, { createdAt: `2026-03-0${index + 1}T00:00:00Z` });
      ids.unshift(id);
      await write(account, order, "Shipment", id, index < 2 ? "Order" : `Order ${index}`);
    }
    expect(await search(account, "order", 1)).toEqual([ids[2]]);
    expect(await search(account, "order", 3)).toEqual([ids[0], ids[2], ids[3]]);
    expect(await search(account, "ord", 2)).toHaveLength(2);
  });

  test("follows changes and deletions of values and definitions", async () => {
    const account = await addAccount(database);
    const [first, second] = [await define(account, "first"), await define(account, "second")];
    const { id } = await addShipment(database, account, {});
    await write(account, first, "Shipment", id, "Season 26");
    await write(account, second, "Shipment", id, "Season 26");
    const entity = { type: "Shipment", id } as const;
    await fields.edit(account, { definitionId: first, entity, value: "Winter", now }, null);
    expect(await search(account, "season 26")).toEqual([id]);
    expect(await search(account, "winter")).toEqual([id]);
    const found = await fields.findOfEntity(account, entity, "first");
    await fields.delete(account, found?.id ?? "", null);
    expect(await search(account, "winter")).toEqual([]);
    await definitions.delete(account, second, null);
    expect(await search(account, "season 26")).toEqual([]);
    const keys = await database.prisma.$queryRaw`SELECT key FROM search_keys WHERE account_id = ${account}::uuid
      AND starts_with(key, 'field:')`;
    expect(keys).toEqual([]);
  });

  test("finds neither other types nor fields of another account", async () => {
    const [account, other] = [await addAccount(database), await addAccount(database)];
    const priority = await define(account, "priority", "Shipment", "enum");
    const { id } = await addShipment(database, account, {});
    await write(account, priority, "Shipment", id, "URGENT");
    const text = await define(other, "text");
    const theirs = await addShipment(database, other, {});
    await write(other, text, "Shipment", theirs.id, "URGENT");
    expect(await search(account, "urgent")).toEqual([]);
    expect(await search(other, "urgent")).toEqual([theirs.id]);
    expect((await findFieldMatches(database.tenantSql, account, [id, theirs.id], queryOf("urgent"))).size).toBe(0);
  });

  test("reads no more for a text that all shipments have", async () => {
    const account = await addAccount(database);
    const definition = await define(account, "cost_centre");
    const shipments = 5_000;
    await database.pool.query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
         created_at, updated_at)
       SELECT $1, uuidv7(), 'FILL' || n, 'FILL' || n, 'bill_of_lading', 'SBXL', at, at
       FROM generate_series(1, $2::int) AS n
       CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 minute' AS at) AS one`,
      [account, shipments],
    );
    await database.pool.query(
      `INSERT INTO custom_fields (account_id, id, definition_id, entity_type, entity_id, value, created_at, updated_at)
       SELECT $1, uuidv7(), $2, 'Shipment', id, to_jsonb('Centre ' || (row_number() OVER (ORDER BY id)) % 2),
         now(), now()
       FROM shipments WHERE account_id = $1`,
      [account, definition],
    );
    await database.pool.query("VACUUM ANALYZE search_keys, custom_fields, custom_field_definitions, shipments");
    for (const text of ["Centre 1", "centre"]) {
      // From the sixth time on, a prepared statement may have one plan for all values.
      for (let time = 0; time < 7; time++) await search(account, text);
      const before = await entriesRead(account);
      expect(await search(account, text)).toHaveLength(10);
      const read = (await entriesRead(account)) - before;
      expect([text, read, read > 0, read < 100]).toEqual([text, read, true, true]);
    }
  });
});
