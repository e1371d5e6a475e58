import { expect, test } from "@jest/globals";

import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createSavedViewRepository } from "./saved-view-repository.ts";

const database = started(openTestDatabase);

/** The seeds of builds that may run during an upgrade. */
test.each([7201120066, 7201120068])("waits for a creation by a former build, which locks with %s", async (seed) => {
  const accountId = await addAccount(database);
  const former = await database.pool.connect();
  await former.query("BEGIN");
  await former.query("SELECT pg_advisory_xact_lock(hashtextextended($1::text, $2))", [accountId, seed]);
  const settings = { name: "Late", filters: {}, sort: null, columns: [], memberUserId: null };
  const view = { ...settings, id: uuidV7.next(), list: "shipments", createdByUserId: null } as const;
  const created = database.transaction((sql) => createSavedViewRepository(sql).create(accountId, view, 1));
  await eventually("the creation waits", async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`,
    );
    return rows.length === 1;
  });
  await former.query("COMMIT");
  former.release();
  expect(await created).toBeNull();
});
