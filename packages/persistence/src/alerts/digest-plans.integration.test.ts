import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { indexEntriesRead } from "../testing/index-entries-read.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { composeNextAlert } from "./compose-alerts.ts";

/** As the webhook worker, with one connection. */
const database = started(() => openTestDatabase({ plans: "by_index_in_turn", maxConnections: 1 }));

const exceptions = 3_000;

test("reads each open exception of a digest a few times, also when all are new", async () => {
  const [accountId, userId, subscriptionId] = [uuidV7.next(), uuidV7.next(), uuidV7.next()];
  const query = (text: string, ...values: unknown[]) => database.pool.query(text, values);
  await query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Northwind', now())", accountId);
  await query(
    "INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, 'a@example.com', 'x', now())",
    userId,
  );
  await query("INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'owner')", accountId, userId);
  await query(
    `INSERT INTO alert_subscriptions (account_id, id, name, channel, user_id, frequency, hour, time_zone,
       next_digest_at, kinds, severities, carriers, customers, tags, unsubscribe_token, active, includes_resolved,
       created_at, updated_at)
     VALUES ($1, $2, 'Morning', 'email', $3, 'daily', 8, 'UTC', now() - interval '1 minute',
       '{}', '{}', '{}', '{}', '{}', 'x', true, false, now(), now())`,
    accountId,
    subscriptionId,
    userId,
  );
  await query(
    `INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
       created_at, updated_at)
     SELECT $1, uuidv7(), 'bill_of_lading', 'R' || n, 'R' || n, 'MAEU', 'pending', now(), now()
     FROM generate_series(1, ${exceptions}) AS n`,
    accountId,
  );
  await query(
    `INSERT INTO exceptions (account_id, id, kind, severity, priority, subject_id, tracking_request_id, details,
       opened_at, created_at, updated_at)
     SELECT account_id, uuidv7(), 'hold', 'critical', 11000, id, id, '{"holds":["freight"],"amounts":[]}',
       now(), now(), now()
     FROM tracking_requests`,
  );
  await query(
    `INSERT INTO alert_items (account_id, subscription_id, exception_id, event)
     SELECT account_id, $1, id, 'opened' FROM exceptions`,
    subscriptionId,
  );
  await query("ANALYZE");
  const before = await indexEntriesRead(database, "exceptions");
  const failed = (error: unknown) => {
    throw error;
  };
  expect(await composeNextAlert(database, instant(Date.now()), failed)).toBe("composed");
  expect((await indexEntriesRead(database, "exceptions")) - before).toBeLessThan(5 * exceptions);
  const { rows } = await query("SELECT content->'openCount' AS open, content->'newCount' AS new FROM alert_messages");
  expect(rows).toEqual([{ open: exceptions, new: exceptions }]);
});
