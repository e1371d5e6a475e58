import { describe, expect, test } from "@jest/globals";
import { readSearchQuery } from "@svc/domain/search";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { findMatchingShipments } from "./find-matching-shipments.ts";
import { addShipment } from "./testing/shipments.ts";

const database = started(openTestDatabase);

async function search(accountId: string, queryText: string, limit = 10) {
  const query = readSearchQuery(queryText);
  if (!query) throw new Error("not a query");
  return (await findMatchingShipments(database.tenantSql, accountId, query, limit)).map(({ id }) => id);
}

describe("shipments of a search box", () => {
  test("say that there may be more when a shipment has many fields that begin with the text", async () => {
    const account = await addAccount(database);
    const containers = ["MSCU0000011", "MSCU0000027", "MSCU0000032"];
    const shipment = await addShipment(database, account, { containers });
    const stamps = { createdAt: new Date(), updatedAt: new Date() };
    const { id: definitionId } = await database.prisma.customFieldDefinition.create({
      data: {
        accountId: account,
        id: uuidV7.next(),
        entityType: "Container",
        apiSlug: "order",
        displayName: "Order",
        dataType: "short_text",
        ...stamps,
      },
    });
    const found = await database.prisma.container.findMany({ where: { shipmentId: shipment.id } });
    await database.prisma.customField.createMany({
      data: found.map(({ id: entityId }, index) => ({
        accountId: account,
        id: uuidV7.next(),
        definitionId,
        entityType: "Container",
        entityId,
        value: `PO-2026-${index}`,
        ...stamps,
      })),
    });
    const query = readSearchQuery("PO-2026");
    if (!query) throw new Error("not a query");
    for (const [limit, mayHaveMore] of [
      [3, true],
      [4, false],
    ] as const) {
      const matching = await findMatchingShipments(database.tenantSql, account, query, limit);
      expect(matching).toEqual([{ id: shipment.id, hasField: true, rank: 3, bookingNumber: null, mayHaveMore }]);
    }
  });

  test("are found by any number or reference, newest first, only of the account", async () => {
    const [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
    const { id: byNumber } = await addShipment(database, ownAccountId, {
      number: "KITE1",
      createdAt: "2026-03-01T00:00:00Z",
    });
    const { id: byReference } = await addShipment(database, ownAccountId, {
      refNumbers: ["red kite"],
      createdAt: "2026-04-01T00:00:00Z",
    });
    const { id: byContainer } = await addShipment(database, ownAccountId, {
      containers: ["KITE0000001", "KITE0000002"],
      createdAt: "2026-02-01T00:00:00Z",
    });
    const { id: byContainerReference } = await addShipment(database, ownAccountId, {
      containers: ["MSCU0000001"],
      containerRefNumbers: ["Kite"],
      createdAt: "2026-01-01T00:00:00Z",
    });
    await addShipment(database, otherAccountId, { number: "KITE2" });
    expect(await search(ownAccountId, "kite")).toEqual([byReference, byNumber, byContainer, byContainerReference]);
    expect(await search(ownAccountId, "kite", 1)).toEqual([byContainerReference]);
    expect(await search(ownAccountId, "kit", 2)).toEqual([byReference, byContainer]);
    expect(await search(ownAccountId, "ki te-00")).toEqual([byContainer]);
    expect(await search(ownAccountId, "heron")).toEqual([]);
  });

  test("are found by their booking number, and have it", async () => {
    const account = await addAccount(database);
    const { id } = await addShipment(database, account, { number: "BILL1", bookingNumber: "KEST-204 8" });
    for (const queryText of ["KEST-204 8", "kest2048", "est-204", "bill1"]) {
      const query = readSearchQuery(queryText);
      if (!query) throw new Error("not a query");
      const matching = await findMatchingShipments(database.tenantSql, account, query, 5);
      expect(matching).toEqual([expect.objectContaining({ id, bookingNumber: "KEST-204 8" })]);
    }
  });

  test("are found by their exact number without the prefix that was typed, however old", async () => {
    const account = await addAccount(database);
    const old = await addShipment(database, account, { number: "262175", createdAt: "2020-01-01T00:00:00Z" });
    await addShipment(database, account, { number: "2621759" });
    const query = readSearchQuery("MAEU 262-175");
    if (!query) throw new Error("not a query");
    const find = async (bareNumber: string | null) =>
      (await findMatchingShipments(database.tenantSql, account, query, 5, bareNumber)).map(({ id, rank }) => [
        id,
        rank,
      ]);
    expect(await find("262175")).toEqual([[old.id, 2]]);
    expect(await find(null)).toEqual([]);
  });

  test("are found with and without separators in numbers", async () => {
    const account = await addAccount(database);
    const plain = await addShipment(database, account, { number: "SBXL777001", createdAt: "2026-02-01T00:00:00Z" });
    const spelled = await addShipment(database, account, { number: "MAEU-262.175 0" });
    for (const queryText of ["sbxl 777-001", "SBXL.777/001", "sbxl\u200b777001", "l 777-0"]) {
      expect(await search(account, queryText)).toEqual([plain.id]);
    }
    for (const typed of ["maeu2621750", "MAEU 262 1750", "MAEU-262.175 0"]) {
      expect(await search(account, typed)).toEqual([spelled.id]);
    }
  });

  test("are found by references that are written with other separators, also old ones", async () => {
    const account = await addAccount(database);
    const order = await addShipment(database, account, {
      refNumbers: ["PO-7712"],
      createdAt: "2020-01-03T00:00:00Z",
    });
    const byContainer = await addShipment(database, account, {
      containers: ["MSCU7712001"],
      containerRefNumbers: ["po 7712"],
      createdAt: "2020-01-02T00:00:00Z",
    });
    const longer = await addShipment(database, account, {
      refNumbers: ["PO7712-3"],
      createdAt: "2020-01-01T00:00:00Z",
    });
    const all = [order.id, byContainer.id, longer.id];
    for (const queryText of ["PO 7712", "po7712", "PO-7712", "po/7712", "PO # 7712"]) {
      expect([queryText, await search(account, queryText)]).toEqual([queryText, all]);
    }
    expect(await search(account, "PO 7712 3")).toEqual([longer.id]);
    expect(await search(account, "7712 PO")).toEqual([]);
    await database.pool.query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
         ref_numbers, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'FILL' || n, 'FILL' || n, 'bill_of_lading', 'SBXL', '{}', now(), now()
       FROM generate_series(1, 300) AS n`,
      [account],
    );
    for (const typed of ["PO 7712", "po7712"]) expect(await search(account, typed)).toEqual(all);
    expect(await search(account, "po/7712", 1)).toEqual([order.id]);
  });

  test("contain the target of the deep link, however many newer shipments match in part", async () => {
    const account = await addAccount(database);
    const byNumber = await addShipment(database, account, { number: "GULL1", createdAt: "2020-01-01T00:00:00Z" });
    const byReference = await addShipment(database, account, {
      refNumbers: ["gull 1"],
      createdAt: "2020-02-01T00:00:00Z",
    });
    const newer = await addShipment(database, account, {
      refNumbers: ["gull 10"],
      createdAt: "2026-01-01T00:00:00Z",
    });
    await addShipment(database, account, { number: "GULL100", createdAt: "2025-01-01T00:00:00Z" });
    expect(await search(account, "gull 1", 3)).toEqual([newer.id, byReference.id, byNumber.id]);
  });

  test("contain older shipments when the newest do not fill the list", async () => {
    const account = await addAccount(database);
    const old = await addShipment(database, account, { refNumbers: ["HERON"], createdAt: "2020-01-01T00:00:00Z" });
    const oldest = await addShipment(database, account, {
      containers: ["HERO0000001"],
      createdAt: "2019-01-01T00:00:00Z",
    });
    await database.pool.query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
        created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'F' || n, 'F' || n, 'bill_of_lading', 'SBXL', now(), now()
         FROM generate_series(1, $2::int) AS n`,
      [account, 300],
    );
    const recent = await addShipment(database, account, { refNumbers: ["heron 3"], createdAt: "2030-01-01T00:00:00Z" });
    expect(await search(account, "hero")).toEqual([recent.id, old.id, oldest.id]);
    expect(await search(account, "hero", 2)).toEqual([recent.id, oldest.id]);
  });
});
