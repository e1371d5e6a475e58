import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { replacePassword } from "../access/password-resets.ts";
import { uuidV7 } from "../ids.ts";
import { removeMember } from "../members/member-repository.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createOAuthRecordRepository } from "./oauth-record-repository.ts";

const database = started(openTestDatabase);
const expiresAt = instant("2999-01-01T00:00:00.000Z");
const query = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows;

/** An account whose user gave an application access. */
async function connect() {
  const [accountId, userId, grantId] = [uuidV7.next(), uuidV7.next(), uuidV7.next()];
  await query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Northwind', now())", accountId);
  await query(
    "INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, $2, 'x', now())",
    userId,
    `${userId}@x`,
  );
  await query("INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'owner')", accountId, userId);
  const common = { accountId, grantId, uid: null, payload: { accountId: `${accountId}:${userId}` }, expiresAt };
  await createOAuthRecordRepository(database).storeGrant({ ...common, model: "Grant", id: grantId }, "client");
  const token = () => {
    const apiToken = { id: uuidV7.next(), name: "client", scopes: ["read" as const], userId };
    return { ...common, model: "AccessToken", id: uuidV7.next(), apiToken };
  };
  return { accountId, userId, grantId, token };
}

const validTokens = (grantId: string) =>
  query("SELECT id FROM api_tokens WHERE oauth_grant_id = $1 AND revoked_at IS NULL", grantId);

type Connected = Awaited<ReturnType<typeof connect>>;

const newPassword = { passwordHash: "y", keptSession: null, sendsMail: false, endsLastingAccess: true };

test.each<[string, (connected: Connected) => Promise<unknown>]>([
  [
    "disconnecting an application",
    ({ accountId, grantId }) => createOAuthRecordRepository(database).disconnect(accountId, grantId),
  ],
  ["replacing a password with all access", ({ userId }) => replacePassword(database, userId, newPassword)],
  [
    "removing a member",
    async ({ accountId, userId }) => {
      await query("UPDATE memberships SET role = 'developer' WHERE user_id = $1", userId);
      return removeMember(database, { accountId, userId }, []);
    },
  ],
])("%s revokes a token that a refresh is storing", async (_, end) => {
  const connected = await connect();
  const { grantId, token } = connected;
  const stored = Promise.withResolvers<void>();
  const committing = Promise.withResolvers<void>();
  const refreshing = createOAuthRecordRepository({
    sql: database.sql,
    transaction: (work) =>
      database.transaction(async (sql) => {
        const result = await work(sql);
        stored.resolve();
        await committing.promise;
        return result;
      }),
  }).storeAccessToken(token());
  await stored.promise;
  const ending = end(connected);
  await eventually("the end waits for the refresh", async () => {
    return (await query("SELECT FROM pg_locks WHERE NOT granted")).length > 0;
  });
  committing.resolve();
  expect(await refreshing).toBe(true);
  await ending;
  expect(await validTokens(grantId)).toEqual([]);
  expect(await query("SELECT model FROM oauth_records WHERE grant_id = $1", grantId)).toEqual([]);
});

test("a refresh stores no token after its application was disconnected", async () => {
  const { accountId, grantId, token } = await connect();
  const records = createOAuthRecordRepository(database);
  expect(await records.disconnect(uuidV7.next(), grantId)).toBe(false);
  expect(await records.storeAccessToken(token())).toBe(true);
  expect(await validTokens(grantId)).toHaveLength(1);
  expect(await records.disconnect(accountId, grantId)).toBe(true);
  expect(await records.storeAccessToken(token())).toBe(false);
  expect([await validTokens(grantId), await records.disconnect(accountId, grantId)]).toEqual([[], false]);
  expect(await query("SELECT model FROM oauth_records WHERE grant_id = $1", grantId)).toEqual([]);
});
