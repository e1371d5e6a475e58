import { beforeAll, describe, expect, test } from "@jest/globals";
import { readSearchQuery } from "@svc/domain/search";
import { started } from "@svc/testkit/started";
import { createContainerRepository } from "../containers/container-repository.ts";
import { connectDatabase } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { createPartyRepository } from "../parties/party-repository.ts";
import { findCandidates } from "../search/find-candidates.ts";
import { findMatchingShipments } from "../search/find-matching-shipments.ts";
import { addShipment } from "../search/testing/shipments.ts";
import { createShipmentRepository } from "../shipments/shipment-repository.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";

let ownAccountId: string;
let otherAccountId: string;
let theirShipment: string;
let theirContainer: string;

const database = started(() => openTestDatabase({ applicationName: "tenancy-test", maxConnections: 1 }));
beforeAll(async () => {
  [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
  // The numbers are given, because a random one could contain a searched text.
  await addShipment(database, ownAccountId, { number: "MINEBL1", refNumbers: ["KITE-1"], containers: ["MINU1000001"] });
  const theirNumbers = { number: "THEIRBL1", refNumbers: ["KITE-2"], containers: ["THEU1000001"] };
  const added = await addShipment(database, otherAccountId, theirNumbers);
  theirShipment = added.id;
  theirContainer = added.containerIds[0] ?? "";
});

/** The statements of real repositories without their condition on the account. */
function forgetful(sql: AccountSql): AccountSql {
  const withoutAccountFilter = (statement: Statement): Statement => {
    const { name, text } = statement;
    // Reference data.
    if (name === "reference-names.find") return statement;
    const unfiltered = text.replaceAll(/\b(?:\w+\.)?account_id = \$1/g, "$1::uuid IS NOT NULL");
    if (unfiltered === text) throw new Error(`The statement ${name} names no account.`);
    return { name: "", text: unfiltered };
  };
  return {
    rows: (statement, values) => sql.rows(withoutAccountFilter(statement), values),
    execute: (statement, values) => sql.execute(withoutAccountFilter(statement), values),
  };
}

const whoseShipments: Statement = {
  name: "test.whose-shipments",
  text: "SELECT DISTINCT account_id FROM shipments WHERE $1::uuid IS NOT NULL",
};

const page = { size: 10, sortBy: "created_at", descending: true, position: { kind: "number", number: 1 } } as const;
const edit = { now: "2026-11-21T10:00:00.000Z" as never, ifVersions: null };

describe("a statement without a condition on the account", () => {
  test("reads nothing of another account, unlike without row-level security", async () => {
    const shipments = createShipmentRepository(forgetful(database.tenantSql));
    expect(await shipments.find(ownAccountId, theirShipment)).toBeNull();
    expect(await shipments.findMany(ownAccountId, [theirShipment])).toEqual([]);
    expect((await shipments.list(ownAccountId, {}, page)).total).toBe(1);
    expect((await shipments.list(ownAccountId, { refNumber: ["KITE-2"] }, page)).total).toBe(0);
    const containers = createContainerRepository(forgetful(database.tenantSql));
    expect(await containers.find(ownAccountId, theirContainer)).toBeNull();
    expect(await containers.findOfShipments(ownAccountId, [theirShipment])).toEqual([]);
    expect((await containers.list(ownAccountId, {}, page)).items.map(({ number }) => number)).toEqual(["MINU1000001"]);

    const unguarded = createShipmentRepository(forgetful(database.sql));
    expect(await unguarded.find(ownAccountId, theirShipment)).toMatchObject({ id: theirShipment });
  });

  test("finds nothing of another account with any search text", async () => {
    for (const queryText of ["THEU1000001", "THEU1", "KITE-2", "E-2"]) {
      const query = readSearchQuery(queryText);
      if (!query) throw new Error("not a query");
      expect(await findCandidates(forgetful(database.tenantSql), ownAccountId, query)).toEqual([]);
      expect(await findMatchingShipments(forgetful(database.tenantSql), ownAccountId, query, 10)).toEqual([]);
      expect(await findCandidates(forgetful(database.tenantSql), otherAccountId, query)).not.toEqual([]);
    }
  });

  test("writes nothing of another account", async () => {
    const shipments = createShipmentRepository(forgetful(database.tenantSql));
    expect(await shipments.edit(ownAccountId, theirShipment, { tags: ["taken"] }, edit)).toBeNull();
    expect(await shipments.edit(otherAccountId, theirShipment, { tags: ["own"] }, edit)).toMatchObject({
      tags: ["own"],
    });
  });
});

describe("accounts that share a connection", () => {
  test("never see each other's rows, also after failures", async () => {
    const parties = createPartyRepository(database.tenantSql);
    const readsOwnRows = async (accountId: string) => {
      const rows = await database.tenantSql.rows<{ account_id: string }>(whoseShipments, [accountId]);
      expect(rows).toEqual([{ account_id: accountId }]);
    };
    const rolledBack = (accountId: string) =>
      expect(
        database.tenantTransaction(accountId, async (sql) => {
          expect(await sql.rows(whoseShipments, [accountId])).toEqual([{ account_id: accountId }]);
          throw new Error("half-way");
        }),
      ).rejects.toThrow("half-way");
    const refused = (accountId: string) =>
      expect(
        database.tenantSql.rows({ name: "", text: "SELECT 1 / 0 WHERE $1::uuid IS NOT NULL" }, [accountId]),
      ).rejects.toThrow();
    const created = (accountId: string) =>
      expect(
        parties.create(accountId, { id: uuidV7.next(), companyName: uuidV7.next(), now: edit.now }),
      ).resolves.not.toBeNull();
    const work = Array.from({ length: 120 }, (_, index) => {
      const accountId = index % 3 === 0 ? otherAccountId : ownAccountId;
      const act = [readsOwnRows, rolledBack, created, readsOwnRows, refused][index % 5] ?? readsOwnRows;
      return act(accountId);
    });
    await Promise.all(work);
    expect((await parties.list(ownAccountId, {}, page)).total).toBe(
      await database.prisma.party.count({ where: { accountId: ownAccountId } }),
    );
  });

  test("set the account only when it changes", async () => {
    const times = async () => {
      const [row] = await database.tenantSql.rows<{ times: number }>(
        {
          name: "",
          text: `SELECT generic_plans + custom_plans AS times FROM pg_prepared_statements
            WHERE name = 'tenancy.name-account' AND $1::uuid IS NOT NULL`,
        },
        [ownAccountId],
      );
      return row?.times ?? 0;
    };
    const before = await times();
    for (let index = 0; index < 5; index++) await database.tenantSql.rows(whoseShipments, [ownAccountId]);
    expect(await times()).toBe(before);
    await database.tenantSql.rows(whoseShipments, [otherAccountId]);
    expect(await times()).toBe(before + 2);
  });

  test("see nothing for an invalid account id, and continue with the next statement", async () => {
    const anything: Statement = { name: "", text: "SELECT account_id FROM shipments WHERE $1::text IS NOT NULL" };
    expect(await database.tenantSql.rows(anything, [""])).toEqual([]);
    await expect(database.tenantSql.rows(anything, ["' OR true --"])).rejects.toThrow(
      "invalid input syntax for type uuid",
    );
    expect(await database.tenantSql.rows(whoseShipments, [ownAccountId])).toEqual([{ account_id: ownAccountId }]);
  });

  test("replace a connection on which the account cannot be set", async () => {
    const backend: Statement = { name: "", text: "SELECT pg_backend_pid() AS pid WHERE $1::uuid IS NOT NULL" };
    const [before] = await database.tenantSql.rows<{ pid: number }>(backend, [ownAccountId]);
    // PostgreSQL's text type cannot contain this character, so setting the account fails.
    await expect(database.tenantSql.rows(whoseShipments, ["\u0000"])).rejects.toThrow();
    const [after] = await database.tenantSql.rows<{ pid: number }>(backend, [ownAccountId]);
    expect(after?.pid).not.toBe(before?.pid);
  });
});

test("limits a transaction to one account", async () => {
  await expect(
    database.tenantTransaction(ownAccountId, (sql) => sql.rows(whoseShipments, [otherAccountId])),
  ).rejects.toThrow("test.whose-shipments is not of the transaction's account");
  await expect(
    database.tenantTransaction(ownAccountId, (sql) => sql.execute(whoseShipments, [otherAccountId])),
  ).rejects.toThrow();
});

test("distinguishes a login user without the tenant role from an unavailable server", async () => {
  const user = `stranger_${uuidV7.next().replaceAll("-", "")}`;
  await database.pool.query(`CREATE ROLE ${user} LOGIN`);
  const url = new URL(database.url);
  url.username = user;
  const otherDatabase = connectDatabase({
    url: url.href,
    applicationName: "tenancy-test",
    onIdleError: () => undefined,
  });
  try {
    await otherDatabase.ping();
    await expect(otherDatabase.pingAsTenant()).rejects.toThrow('permission denied to set role "svc_tenant"');
  } finally {
    await otherDatabase.close();
    await database.pool.query(`DROP ROLE ${user}`);
  }
  await database.pingAsTenant();
});
