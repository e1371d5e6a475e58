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

let mine: string;
let theirs: string;
let theirShipment: string;
let theirContainer: string;

const database = started(() => openTestDatabase({ applicationName: "tenancy-test", maxConnections: 1 }));
beforeAll(async () => {
  [mine, theirs] = [await addAccount(database), await addAccount(database)];
  // The numbers are given, because a random one could contain a searched text.
  await addShipment(database, mine, { number: "MINEBL1", refNumbers: ["KITE-1"], containers: ["MINU1000001"] });
  const theirNumbers = { number: "THEIRBL1", refNumbers: ["KITE-2"], containers: ["THEU1000001"] };
  const added = await addShipment(database, theirs, theirNumbers);
  theirShipment = added.id;
  theirContainer = added.containerIds[0] ?? "";
});

/** The statements of real repositories without their condition on the account. */
function forgetful(sql: AccountSql): AccountSql {
  const forget = (statement: Statement): Statement => {
    const { name, text } = statement;
    // Reference data.
    if (name === "reference-names.find") return statement;
    const forgotten = text.replaceAll(/\b(?:\w+\.)?account_id = \$1/g, "$1::uuid IS NOT NULL");
    if (forgotten === text) throw new Error(`The statement ${name} names no account.`);
    return { name: "", text: forgotten };
  };
  return {
    rows: (statement, values) => sql.rows(forget(statement), values),
    execute: (statement, values) => sql.execute(forget(statement), values),
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
    expect(await shipments.find(mine, theirShipment)).toBeNull();
    expect(await shipments.findMany(mine, [theirShipment])).toEqual([]);
    expect((await shipments.list(mine, {}, page)).total).toBe(1);
    expect((await shipments.list(mine, { refNumber: ["KITE-2"] }, page)).total).toBe(0);
    const containers = createContainerRepository(forgetful(database.tenantSql));
    expect(await containers.find(mine, theirContainer)).toBeNull();
    expect(await containers.findOfShipments(mine, [theirShipment])).toEqual([]);
    expect((await containers.list(mine, {}, page)).items.map(({ number }) => number)).toEqual(["MINU1000001"]);

    const unguarded = createShipmentRepository(forgetful(database.sql));
    expect(await unguarded.find(mine, theirShipment)).toMatchObject({ id: theirShipment });
  });

  test("finds nothing of another account with any search text", async () => {
    for (const typed of ["THEU1000001", "THEU1", "KITE-2", "E-2"]) {
      const query = readSearchQuery(typed);
      if (!query) throw new Error("not a query");
      expect(await findCandidates(forgetful(database.tenantSql), mine, query)).toEqual([]);
      expect(await findMatchingShipments(forgetful(database.tenantSql), mine, query, 10)).toEqual([]);
      expect(await findCandidates(forgetful(database.tenantSql), theirs, query)).not.toEqual([]);
    }
  });

  test("writes nothing of another account", async () => {
    const shipments = createShipmentRepository(forgetful(database.tenantSql));
    expect(await shipments.edit(mine, theirShipment, { tags: ["taken"] }, edit)).toBeNull();
    expect(await shipments.edit(theirs, theirShipment, { tags: ["own"] }, edit)).toMatchObject({ tags: ["own"] });
  });
});

describe("accounts that share a connection", () => {
  test("never see each other's rows, also after failures", async () => {
    const parties = createPartyRepository(database.tenantSql);
    const seen = async (accountId: string) => {
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
    const work = Array.from({ length: 120 }, (_, turn) => {
      const accountId = turn % 3 === 0 ? theirs : mine;
      const act = [seen, rolledBack, created, seen, refused][turn % 5] ?? seen;
      return act(accountId);
    });
    await Promise.all(work);
    expect((await parties.list(mine, {}, page)).total).toBe(
      await database.prisma.party.count({ where: { accountId: mine } }),
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
        [mine],
      );
      return row?.times ?? 0;
    };
    const before = await times();
    for (let turn = 0; turn < 5; turn++) await database.tenantSql.rows(whoseShipments, [mine]);
    expect(await times()).toBe(before);
    await database.tenantSql.rows(whoseShipments, [theirs]);
    expect(await times()).toBe(before + 2);
  });

  test("see nothing for an invalid account id, and continue with the next statement", async () => {
    const anything: Statement = { name: "", text: "SELECT account_id FROM shipments WHERE $1::text IS NOT NULL" };
    expect(await database.tenantSql.rows(anything, [""])).toEqual([]);
    await expect(database.tenantSql.rows(anything, ["' OR true --"])).rejects.toThrow(
      "invalid input syntax for type uuid",
    );
    expect(await database.tenantSql.rows(whoseShipments, [mine])).toEqual([{ account_id: mine }]);
  });

  test("replace a connection on which the account cannot be set", async () => {
    const backend: Statement = { name: "", text: "SELECT pg_backend_pid() AS pid WHERE $1::uuid IS NOT NULL" };
    const [before] = await database.tenantSql.rows<{ pid: number }>(backend, [mine]);
    // PostgreSQL's text type cannot contain this character, so setting the account fails.
    await expect(database.tenantSql.rows(whoseShipments, ["\u0000"])).rejects.toThrow();
    const [after] = await database.tenantSql.rows<{ pid: number }>(backend, [mine]);
    expect(after?.pid).not.toBe(before?.pid);
  });
});

test("a transaction belongs to one account", async () => {
  await expect(database.tenantTransaction(mine, (sql) => sql.rows(whoseShipments, [theirs]))).rejects.toThrow(
    "test.whose-shipments is not of the transaction's account",
  );
  await expect(database.tenantTransaction(mine, (sql) => sql.execute(whoseShipments, [theirs]))).rejects.toThrow();
});

test("distinguishes a login user without the tenant role from an unavailable server", async () => {
  const user = `stranger_${uuidV7.next().replaceAll("-", "")}`;
  await database.pool.query(`CREATE ROLE ${user} LOGIN`);
  const url = new URL(database.url);
  url.username = user;
  const stranger = connectDatabase({ url: url.href, applicationName: "tenancy-test", onIdleError: () => undefined });
  try {
    await stranger.ping();
    await expect(stranger.pingAsTenant()).rejects.toThrow('permission denied to set role "svc_tenant"');
  } finally {
    await stranger.close();
    await database.pool.query(`DROP ROLE ${user}`);
  }
  await database.pingAsTenant();
});
