import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually, type ReplicatedPostgres, startReplicatedPostgres } from "@svc/testkit";
import pg from "pg";
import { connectDatabase, type Database } from "../database.ts";
import type { Statement } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";

let servers: ReplicatedPostgres;
let database: Database;
let primaryUrl: string;
let replicaUrl: string;
let standby: pg.Pool;
let ownAccountId: string;
let otherAccountId: string;
/** Statements that ran on each server. */
const ran = { primary: 0, replica: 0 };
const changes: { readonly isInUse: boolean; readonly reason?: unknown }[] = [];

beforeAll(async () => {
  // A statement that conflicts with the recovery of the standby is cancelled at once.
  servers = await startReplicatedPostgres({ max_standby_streaming_delay: "0" });
  const opened = await openTestDatabase({ applicationName: "replica-test" }, servers.primary.url);
  primaryUrl = opened.url;
  replicaUrl = primaryUrl.replace(servers.primary.url, servers.standby.url);
  await opened.close();
  database = connect(primaryUrl, replicaUrl);
  standby = new pg.Pool({ connectionString: replicaUrl, max: 1 });
  standby.on("error", () => undefined);
  [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
});
afterAll(async () => {
  await Promise.all([database.close(), standby.end()]);
  await servers.stop();
});

function connect(url: string, replica: string): Database {
  return connectDatabase({
    url,
    applicationName: "replica-test",
    maxConnections: 2,
    onIdleError: () => undefined,
    replica: {
      url: replica,
      onChange: (change) => changes.push(change),
      onStatement: (server) => {
        ran[server] += 1;
      },
    },
  });
}

const place: Statement = { name: "", text: "SELECT pg_is_in_recovery() AS standby WHERE $1::text IS NOT NULL" };
const names: Statement = {
  name: "test.names",
  text: `SELECT company_name AS name, pg_is_in_recovery() AS standby FROM parties WHERE account_id = $1
    ORDER BY company_name`,
};
const insert: Statement = {
  name: "test.insert",
  text: `INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
    VALUES ($1, gen_random_uuid(), $2, now(), now()) RETURNING company_name AS name`,
};
interface Row {
  readonly name: string;
  readonly standby: boolean;
}

const isFromReplica = (client: Database, accountId = ownAccountId): Promise<boolean> =>
  client.reading(async () => (await client.tenantSql.rows<Row>(place, [accountId]))[0]?.standby ?? false);
const replicaInUse = (client = database): Promise<unknown> =>
  eventually("reads run on the replica", () => isFromReplica(client));
const read = (accountId = ownAccountId): Promise<Row[]> =>
  database.reading(() => database.tenantSql.rows<Row>(names, [accountId]));

async function pauseReplay(): Promise<void> {
  await standby.query("SELECT pg_wal_replay_pause()");
  await eventually("replay is paused", async () => {
    const { rows } = await standby.query<{ state: string }>("SELECT pg_get_wal_replay_pause_state() AS state");
    return rows[0]?.state === "paused";
  });
}
const resumeReplay = () => standby.query("SELECT pg_wal_replay_resume()");

describe("a statement", () => {
  test("runs on the replica within reading, with the settings and the role of the primary's connections", async () => {
    await replicaInUse();
    const settings: Statement = {
      name: "",
      text: `SELECT current_user::text AS role, current_setting('timezone') AS timezone, current_setting('jit') AS jit,
        current_setting('svc.account_id') AS account, pg_is_in_recovery() AS standby WHERE $1::text IS NOT NULL`,
    };
    const found = await eventually("the replica runs the statement", async () => {
      const [row] = await database.reading(() => database.tenantSql.rows<Row>(settings, [ownAccountId]));
      return row?.standby && row;
    });
    const [onPrimary] = await database.tenantSql.rows<Row>(settings, [ownAccountId]);
    expect(onPrimary).toMatchObject({ role: "svc_tenant", account: ownAccountId, standby: false });
    expect(found).toEqual({ ...onPrimary, standby: true });
  });

  test("runs on the primary when the replica is busy, which stays in use", async () => {
    await replicaInUse();
    const [before, changed] = [{ ...ran }, changes.length];
    const slow: Statement = {
      name: "",
      text: "SELECT pg_sleep(0.05), pg_is_in_recovery() AS standby WHERE $1::text <> ''",
    };
    await Promise.all(
      Array.from({ length: 20 }, () => database.reading(() => database.tenantSql.rows(slow, [ownAccountId]))),
    );
    expect(ran.primary).toBeGreaterThan(before.primary);
    expect(ran.replica).toBeGreaterThan(before.replica + 1);
    expect(changes).toHaveLength(changed);
  });

  test("runs on the primary outside reading, in transactions and for writes", async () => {
    await replicaInUse();
    expect(await database.tenantSql.rows(place, [ownAccountId])).toEqual([{ standby: false }]);
    expect(await database.sql.rows(place, [ownAccountId])).toEqual([{ standby: false }]);
    await database.reading(async () => {
      const inTransaction = database.tenantTransaction(ownAccountId, (sql) => sql.rows(place, [ownAccountId]));
      expect(await inTransaction).toEqual([{ standby: false }]);
      expect(await database.tenantSql.execute(insert, [ownAccountId, "Executed"])).toBe(1);
      expect(await database.tenantSql.rows(insert, [ownAccountId, "Returned"])).toEqual([{ name: "Returned" }]);
    });
    expect((await read()).map(({ name }) => name)).toEqual(["Executed", "Returned"]);
  });

  test("runs on the primary for the rest of a request of which one statement ran there", async () => {
    await replicaInUse();
    await database.reading(async () => {
      await expect(database.tenantSql.rows({ name: "", text: "SELECT 1 / 0, $1" }, [ownAccountId])).rejects.toThrow(
        "zero",
      );
      expect(await database.tenantSql.rows(place, [ownAccountId])).toEqual([{ standby: false }]);
    });
  });
});

describe("while the replica lags", () => {
  test("sees in a read every write that was committed before it, of this process and of others", async () => {
    await replicaInUse();
    await pauseReplay();
    const worker = new pg.Client({ connectionString: primaryUrl });
    await worker.connect();
    try {
      await database.tenantSql.rows(insert, [ownAccountId, "Written here"]);
      expect(await read()).toContainEqual({ name: "Written here", standby: false });
      // Visible before it is flushed.
      await worker.query("SET synchronous_commit = off");
      await worker.query(insert.text, [otherAccountId, "Written by a worker"]);
      expect(await read(otherAccountId)).toEqual([{ name: "Written by a worker", standby: false }]);
    } finally {
      await worker.end();
      await resumeReplay();
    }
    await replicaInUse();
    await eventually("the replica shows both", async () => {
      const rows = [...(await read()), ...(await read(otherAccountId))];
      return rows.every((row) => row.standby) && rows.some(({ name }) => name === "Written by a worker");
    });
  });

  test("flushes a commit for a read, which then runs on the replica", async () => {
    const worker = new pg.Client({ connectionString: primaryUrl });
    await worker.connect();
    try {
      await worker.query("SET synchronous_commit = off");
      let round = 0;
      // Once would do on a machine that is not busy.
      await eventually("a read shows on the replica what was not flushed", async () => {
        const name = `Not flushed ${++round}`;
        await worker.query(insert.text, [ownAccountId, name]);
        const row = (await read()).find((one) => one.name === name);
        expect(row).toBeDefined();
        return row?.standby;
      });
    } finally {
      await worker.end();
    }
  });

  test("returns reads to the primary without waiting each time, and to the replica when it has replayed", async () => {
    await replicaInUse();
    await pauseReplay();
    changes.length = 0;
    try {
      await database.tenantSql.rows(insert, [ownAccountId, "Unseen"]);
      await read();
      expect(changes).toEqual([]);
      await eventually("the replica is left", async () => {
        expect(await read()).toContainEqual({ name: "Unseen", standby: false });
        return changes.length > 0;
      });
      expect(changes).toEqual([{ isInUse: false, reason: new Error("The replica lags behind the primary.") }]);
      const before = { ...ran };
      for (let round = 0; round < 20; round++) await read();
      expect([ran.primary - before.primary, ran.replica - before.replica]).toEqual([20, 0]);
    } finally {
      await resumeReplay();
    }
    await replicaInUse();
    expect(changes.at(-1)).toEqual({ isInUse: true });
  });
});

describe("the accounts on the replica", () => {
  test("see no row of each other, also by a statement without a condition on the account", async () => {
    await database.tenantSql.rows(insert, [ownAccountId, "Mine"]);
    await database.tenantSql.rows(insert, [otherAccountId, "Theirs"]);
    const owners: Statement = {
      name: "test.owners",
      text: `SELECT DISTINCT account_id AS owner, pg_is_in_recovery() AS standby FROM parties
        WHERE $1::uuid IS NOT NULL`,
    };
    const ownersOf = (accountId: string) =>
      database.reading(() => database.tenantSql.rows<{ owner: string; standby: boolean }>(owners, [accountId]));
    await replicaInUse();
    const accountIds = Array.from({ length: 60 }, (_, round) => (round % 3 === 0 ? ownAccountId : otherAccountId));
    const found = await Promise.all(accountIds.map(ownersOf));
    expect(found.map((rows) => rows.map(({ owner }) => owner))).toEqual(accountIds.map((accountId) => [accountId]));
    expect(found.some(([row]) => row?.standby)).toBe(true);
  });
});

describe("when the replica fails", () => {
  test("runs a statement that conflicts with its recovery again on the primary", async () => {
    await replicaInUse();
    const slow: Statement = {
      name: "",
      text: "SELECT pg_is_in_recovery() AS standby, count(parties) AS parties, pg_sleep(1) FROM parties WHERE $1::text <> '' GROUP BY 1",
    };
    const reading = database.reading(() => database.tenantSql.rows<Row>(slow, [ownAccountId]));
    await eventually("the replica runs the statement", async () => {
      const { rows } = await standby.query(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1)%' AND pid <> pg_backend_pid()",
      );
      return rows.length > 0;
    });
    await database.pool.query("BEGIN; LOCK TABLE parties IN ACCESS EXCLUSIVE MODE; COMMIT");
    expect((await reading)[0]?.standby).toBe(false);
    await replicaInUse();
  });

  test("fails no read although it is killed, and returns reads to it after it is started", async () => {
    await replicaInUse();
    const before = { ...ran };
    let [isEnding, responseCount] = [false, 0];
    const client = async () => {
      while (!isEnding) {
        expect((await read(otherAccountId)).length).toBeGreaterThan(0);
        responseCount += 1;
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    await eventually("the replica answers", () => ran.replica > before.replica + 50);
    process.kill(servers.standby.pid, "SIGKILL");
    const killedAt = responseCount;
    await eventually("the primary answers", () => ran.primary > before.primary && responseCount > killedAt + 100);
    isEnding = true;
    await clients;
    expect(await isFromReplica(database)).toBe(false);
    await servers.restartStandby();
    await replicaInUse();
  });

  test("runs all reads on the primary when no server listens at the address", async () => {
    const alone = connect(primaryUrl, "postgresql://postgres@127.0.0.1:1/none");
    changes.length = 0;
    try {
      for (let round = 0; round < 3; round++) expect(await isFromReplica(alone)).toBe(false);
      await eventually("the failed probe is reported", () => changes.length > 0);
      expect(changes).toMatchObject([{ isInUse: false, reason: { code: "ECONNREFUSED" } }]);
    } finally {
      await alone.close();
    }
  });

  test("does not read the primary in its place", async () => {
    const twice = connect(primaryUrl, primaryUrl);
    changes.length = 0;
    try {
      await isFromReplica(twice);
      await eventually("the failed probe is reported", () => changes.length > 0);
      expect(String(changes[0]?.reason)).toContain("is not a standby");
    } finally {
      await twice.close();
    }
  });
});
