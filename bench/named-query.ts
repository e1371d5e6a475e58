import { connectDatabase, type Statement, uuidV7 } from "@svc/persistence";
import { addTrackedShipments, createTestDatabase } from "@svc/testkit";
import pg from "pg";
import { onEnd } from "./endings.ts";
import type { Comparison } from "./rounds.ts";

const roundCount = 9;
const readsPerRound = 6_000;
const concurrency = 8;
const connections = 4;
const applicationName = "named-query-bench";
const tenantRole = "svc_tenant";

const oneRow: Statement = {
  name: "bench.shipment",
  text: "SELECT * FROM shipments WHERE account_id = $1 AND id = $2",
};
const page: Statement = {
  name: "bench.shipments",
  text: "SELECT * FROM shipments WHERE account_id = $1 AND id >= $2 ORDER BY id LIMIT 30",
};
const nameAccount = { name: "bench.name-account", text: "SELECT set_config('svc.account_id', $1, false)" };

type Read = (statement: Statement, values: readonly [accountId: string, id: string]) => Promise<unknown>;

/** Timestamps and bigints as text, which costs the baseline less than what a read of ours converts. */
const asText = { getTypeParser: (oid: number) => (oid === 1184 || oid === 20 ? String : pg.types.getTypeParser(oid)) };

/** The statement by pg's own query, after another that sets the account: pipelined, so in one round trip. */
function bareReader(pool: pg.Pool): Read {
  return async ({ name, text }, values) => {
    const client = await pool.connect();
    try {
      const [, { rows }] = await Promise.all([
        client.query({ ...nameAccount, values: [values[0]] }),
        client.query({ name, text, values: [...values], types: asText }),
      ]);
      return rows;
    } finally {
      client.release();
    }
  };
}

/** Microseconds of this process's CPU time per read. */
async function costOf(read: Read, statement: Statement, accountId: string, ids: readonly string[]): Promise<number> {
  let left = readsPerRound;
  const before = process.cpuUsage();
  const reader = async () => {
    while (left-- > 0) await read(statement, [accountId, ids[left % ids.length] as string]);
  };
  await Promise.all(Array.from({ length: concurrency }, reader));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / readsPerRound;
}

/**
 * A read of an account by our query (packages/persistence/src/named-query.ts) against the same read by pg's own, both
 * with the account set in the same round trip; processor time of the client per read. docs/adr/0023.
 */
export async function benchmarkNamedQuery({ postgresUrl }: { readonly postgresUrl: string }): Promise<Comparison[]> {
  const url = await createTestDatabase(postgresUrl);
  const onIdleError = (error: Error) => console.error(error.message);
  const database = connectDatabase({ url, applicationName, maxConnections: connections, onIdleError });
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: connections,
    pipeline: true,
    options: `-c timezone=UTC -c jit=off -c role=${tenantRole}`,
  });
  const close = onEnd(async () => {
    await pool.end();
    await database.close();
  });
  const accountId = uuidV7.next();
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Bench', now())", [
    accountId,
  ]);
  const ids = await addTrackedShipments(database.pool, accountId, 1_000);
  const ours: Read = (statement, values) => database.tenantSql.rows(statement, values);
  const bare = bareReader(pool);

  const comparisons: Comparison[] = [];
  for (const [name, statement] of [
    ["read of one row", oneRow],
    ["read of 30 rows", page],
  ] as const) {
    const rounds: { ours: number; bare: number }[] = [];
    for (let round = -1; round < roundCount; round++) {
      const measured = {
        bare: await costOf(bare, statement, accountId, ids),
        ours: await costOf(ours, statement, accountId, ids),
      };
      // The first round warms up both.
      if (round >= 0) rounds.push(measured);
    }
    comparisons.push({
      name: `${name} by our query against pg's`,
      unit: "µs CPU",
      rounds,
      aim: { of: "ratio", atMost: 0.9 },
    });
  }
  await close();
  return comparisons;
}
