import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createCustomFieldRepository } from "../custom-fields/custom-field-repository.ts";
import { uuidV7 } from "../ids.ts";
import type { Statement } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { readChangeVersions } from "./change-versions.ts";

const database = started(openTestDatabase);
let ownAccountId: string;
let otherAccountId: string;
let one: string;
let other: string;
const at = new Date("2026-06-01T00:00:00Z");
const stamps = { createdAt: at, updatedAt: at };

async function addShipment(accountId: string): Promise<string> {
  const id = uuidV7.next();
  const names = { billOfLadingNumber: id, normalizedNumber: id.toUpperCase(), numberKind: "bill_of_lading" };
  await database.prisma.shipment.create({ data: { accountId, id, ...names, shippingLineScac: "SBXL", ...stamps } });
  return id;
}

beforeAll(async () => {
  [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
  [one, other] = [await addShipment(ownAccountId), await addShipment(ownAccountId)];
});

/** Reads the versions of all records of both accounts, and of both shipments. */
const read = () =>
  readChangeVersions(database.sql, [
    { accountId: otherAccountId, shipmentId: null },
    { accountId: ownAccountId, shipmentId: one },
    { accountId: ownAccountId, shipmentId: null },
    { accountId: ownAccountId, shipmentId: other },
  ]);

/** Returns the versions that differ after the work. */
async function changedBy(work: () => Promise<unknown>) {
  // A version may also differ when a transaction of another database ends: it is compared once it is settled.
  let before = await read();
  await eventually("the versions are settled", async () => {
    const earlier = before;
    before = await read();
    expect(before).toEqual(earlier);
    return true;
  });
  await work();
  const after = await read();
  const [theirAccount, shipment, account, otherShipment] = after.map((version, index) => version !== before[index]);
  return { theirAccount, account, shipment, otherShipment };
}

const setVoyage: Statement = {
  name: "test.set-voyage",
  text: "UPDATE shipments SET pod_voyage_number = $3 WHERE account_id = $1 AND id = $2",
};
const takeTransactionId: Statement = { name: "test.transaction-id", text: "SELECT pg_current_xact_id()" };

/** Executes the statement in a transaction that stays open until it is committed. */
async function openTransaction(statement: Statement, parameters: readonly unknown[]) {
  const [executed, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = database.transaction(async (sql) => {
    await sql.execute(statement, parameters);
    executed.resolve();
    await committed.promise;
  });
  await Promise.race([executed.promise, ended]);
  return {
    async commit() {
      committed.resolve();
      await ended;
    },
  };
}

const shipmentChange = { theirAccount: false, account: true, shipment: true, otherShipment: false };

describe("the versions of records that pages wait for", () => {
  const subject = () => ({ accountId: ownAccountId, shipmentId: one });

  test.each<[string, () => Promise<unknown>]>([
    ["a shipment", () => database.prisma.shipment.updateMany({ where: { id: one }, data: { tags: ["new"] } })],
    [
      "a new container",
      () => database.prisma.container.create({ data: { ...subject(), id: uuidV7.next(), number: "A", ...stamps } }),
    ],
    [
      "a container",
      () => database.prisma.container.updateMany({ where: { number: "A" }, data: { currentStatus: "on_ship" } }),
    ],
    [
      "an exception",
      () =>
        database.prisma.exception.create({
          data: {
            ...subject(),
            id: uuidV7.next(),
            subjectId: one,
            kind: "eta_delay",
            severity: "warning",
            priority: 1,
            details: {},
            openedAt: at,
            ...stamps,
          },
        }),
    ],
    [
      "the note of an exception",
      () => database.prisma.exception.updateMany({ data: { note: "x", rowVersion: { increment: 1 } } }),
    ],
  ])("change with %s, and no others do", async (_what, work) => {
    expect(await changedBy(work)).toEqual(shipmentChange);
  });

  test("change for the account with a tracking request", async () => {
    const number = { requestNumber: "X", normalizedNumber: "X", requestType: "bill_of_lading", status: "pending" };
    const add = () =>
      database.prisma.trackingRequest.create({
        data: { accountId: ownAccountId, id: uuidV7.next(), ...number, ...stamps },
      });
    const accountOnly = { ...shipmentChange, shipment: false };
    expect(await changedBy(add)).toEqual(accountOnly);
    const fail = () =>
      database.prisma.trackingRequest.updateMany({ data: { status: "failed", rowVersion: { increment: 1 } } });
    expect(await changedBy(fail)).toEqual(accountOnly);
  });

  describe.each([
    ["", false],
    [", while one that began between them goes on", true],
  ])("with two transactions that overlap", (title, hasThird) => {
    test(`changes when one commits that began before another, whose change was seen${title}`, async () => {
      const early = await openTransaction(setVoyage, [ownAccountId, one, `${title}1`]);
      const third = hasThird ? await openTransaction(takeTransactionId, []) : null;
      await database.sql.execute(setVoyage, [ownAccountId, other, `${title}2`]);
      const changed = await changedBy(early.commit);
      await third?.commit();
      expect(changed).toEqual(shipmentChange);
    });
  });

  test("changes when an older transaction writes a row again that was already unsettled, and commits last", async () => {
    const oldest = await openTransaction(takeTransactionId, []);
    await database.sql.execute(setVoyage, [ownAccountId, one, "first"]);
    const early = await openTransaction(setVoyage, [ownAccountId, one, "second"]);
    await database.sql.execute(setVoyage, [ownAccountId, other, "third"]);
    const changed = await changedBy(early.commit);
    await oldest.commit();
    expect(changed).toEqual(shipmentChange);
  });

  test("change with a custom field of the shipment or a container, its options and its definition", async () => {
    const [definitionId, optionId] = [uuidV7.next(), uuidV7.next()];
    const accountOnly = { ...shipmentChange, shipment: false };
    const { prisma } = database;
    const names = { apiSlug: "priority", displayName: "Priority", dataType: "enum" };
    const define = () =>
      prisma.customFieldDefinition.create({
        data: { accountId: ownAccountId, id: definitionId, entityType: "Shipment", ...names, ...stamps },
      });
    expect(await changedBy(define)).toEqual(accountOnly);
    const addOption = () =>
      prisma.customFieldOption.create({
        data: { accountId: ownAccountId, id: optionId, definitionId, label: "High", value: "high", ...stamps },
      });
    expect(await changedBy(addOption)).toEqual(accountOnly);
    const fields = createCustomFieldRepository(database.tenantSql);
    const { id: containerId } = await prisma.container.create({
      data: { ...subject(), id: uuidV7.next(), number: "B", ...stamps },
    });
    const records = [
      { type: "Shipment", id: one },
      { type: "Container", id: containerId },
    ] as const;
    for (const entity of records) {
      const fieldId = uuidV7.next();
      const set = async () => {
        expect(await fields.lockRecord(ownAccountId, entity)).toBe(true);
        const written = { definitionId, entity, value: "high", now: instant(at.toISOString()) };
        await fields.create(ownAccountId, fieldId, written);
        await fields.markChanged(ownAccountId, entity);
      };
      expect(await changedBy(set)).toEqual(shipmentChange);
      const lock = () => fields.lockRecord(ownAccountId, entity);
      expect(await changedBy(lock)).toEqual({ ...shipmentChange, shipment: false, account: false });
      expect(await changedBy(() => fields.delete(ownAccountId, fieldId, null))).toEqual(shipmentChange);
    }
    expect(await fields.lockRecord(otherAccountId, records[0])).toBe(false);
    expect(await changedBy(() => prisma.customFieldOption.deleteMany({ where: { id: optionId } }))).toEqual(
      accountOnly,
    );
    const removeDefinition = () => prisma.customFieldDefinition.deleteMany({ where: { id: definitionId } });
    expect(await changedBy(removeDefinition)).toEqual(accountOnly);
  });

  test("is empty for a shipment of another account", async () => {
    expect(await readChangeVersions(database.sql, [{ accountId: otherAccountId, shipmentId: one }])).toEqual([""]);
    expect(await readChangeVersions(database.sql, [])).toEqual([]);
  });
});
