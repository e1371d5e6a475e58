import { expect, test } from "@jest/globals";
import { eventually, startReplicatedPostgres } from "@svc/testkit";
import { connectDatabase } from "../database.ts";
import type { Statement } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";

const names: Statement = {
  name: "test.names",
  text: `SELECT company_name AS name, pg_is_in_recovery() AS standby FROM parties WHERE account_id = $1`,
};
const insert = `INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
  SELECT $1, gen_random_uuid(), $2 || n, now(), now() FROM generate_series(1, $3::int) AS n`;

test("does not read a standby that did not follow a promotion, although its log is longer", async () => {
  const servers = await startReplicatedPostgres();
  const former = await openTestDatabase({ applicationName: "replica-test" }, servers.primary.url);
  const accountId = await addAccount(former);
  const formerUrl = former.url;
  const presentUrl = formerUrl.replace(servers.primary.url, servers.standby.url);
  const reasons: string[] = [];
  const present = connectDatabase({
    url: presentUrl,
    applicationName: "replica-test",
    onIdleError: () => undefined,
    replica: {
      url: formerUrl,
      onStatement: () => undefined,
      onChange: (change) => reasons.push(change.isInUse ? "in use" : String(change.reason)),
    },
  });
  try {
    await eventually("the standby has the account", async () => {
      const { rows } = await present.pool.query("SELECT 1 FROM accounts WHERE id = $1", [accountId]);
      return rows.length === 1;
    });
    await present.pool.query("SELECT pg_promote()");
    await former.pool.query(insert, [accountId, "Lost ", 5_000]);
    await former.close();
    await servers.restartPrimaryAsStandby();
    await present.pool.query(insert, [accountId, "Kept ", 1]);

    const read = () => present.reading(() => present.tenantSql.rows(names, [accountId]));
    await eventually("the failed probe is reported", async () => {
      expect(await read()).toEqual([{ name: "Kept 1", standby: false }]);
      return reasons.length > 0;
    });
    expect(reasons).toEqual([expect.stringContaining("no restart point since the promotion")]);
    expect(await read()).toEqual([{ name: "Kept 1", standby: false }]);
  } finally {
    await present.close();
    await servers.stop();
  }
});
