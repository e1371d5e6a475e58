import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { replacePassword } from "../access/password-resets.ts";
import { createAdministration } from "../administration/administration.ts";
import { connectDatabase } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { createInvitation } from "../members/create-invitation.ts";
import { createInvitationRepository } from "../members/invitation-repository.ts";
import { removeMember } from "../members/member-repository.ts";
import { setMemberRole } from "../members/set-member-role.ts";
import { createOAuthRecordRepository } from "../oauth/oauth-record-repository.ts";
import { createSessionRepository } from "../sessions/session-repository.ts";
import { addAccount, addMember } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createAccountTokenRepository } from "../tokens/account-token-repository.ts";
import { actingAs } from "./actor.ts";
import { recordFailedSignIn, removeOldAuditEvents } from "./audit-log.ts";

const now = instant(Date.now());
const expiresAt = addMs(now, dayMs);
const database = started(openTestDatabase);
const pooled = started(() => connectDatabase({ ...database.options, directUrl: database.url }));
const operator = started(() => connectDatabase({ ...database.options, actor: { type: "operator" } }));

const eventsOf = (accountId: string) =>
  database.prisma.auditEvent.findMany({ where: { accountId }, orderBy: { id: "asc" } });
const actionsOf = async (accountId: string) => (await eventsOf(accountId)).map(({ action }) => action);
const sha256 = () => createHash("sha256").update(randomBytes(8)).digest();

describe.each([
  ["directly", () => database],
  ["behind a pooler", () => pooled],
])("%s", (_name, connect) => {
  test("records changes of members, roles, invitations and tokens with their actor", async () => {
    const by = connect();
    const accountId = await addAccount(database);
    const owner = await addMember(database, accountId, { role: "owner" });
    const other = await addMember(database, accountId);
    const tokenId = uuidV7.next();
    const { invitation } = createInvitation({ email: "eve@example.test", role: "viewer" }, Date.now());
    const token = { id: tokenId, name: "Import", scopes: ["read"], hint: "abcd", tokenSha256: sha256() } as const;
    const tokens = createAccountTokenRepository(by.sql);
    await actingAs({ type: "user", userId: owner.userId }, async () => {
      await createInvitationRepository(by.sql).create(accountId, invitation);
      await tokens.create(accountId, { ...token, createdByUserId: other.userId, expiresAt: null, createdAt: now });
      await setMemberRole(by, { accountId, userId: other.userId, role: "viewer" });
      await tokens.revoke(accountId, tokenId, now);
      await removeMember(by, { accountId, userId: other.userId }, []);
    });
    // Outside of the actor's work, on the same connections.
    await by.sql.execute({ name: "", text: "UPDATE invitations SET role = 'owner' WHERE account_id = $1" }, [
      accountId,
    ]);
    const events = await eventsOf(accountId);
    expect(events.map(({ action, subjectName }) => [action, subjectName])).toEqual([
      ["invitation.created", "eve@example.test"],
      ["api_token.created", "Import"],
      ["member.updated", other.email],
      ["api_token.updated", "Import"],
      ["api_token.revoked", "Import"],
      ["member.deleted", other.email],
    ]);
    for (const { actorType, actorId, actorName } of events) {
      expect([actorType, actorId, actorName]).toEqual(["user", owner.userId, owner.email]);
    }
    expect(events[2]?.changes).toEqual({ role: { from: "developer", to: "viewer" } });
    expect(JSON.stringify(events)).not.toMatch(/sha256|hash/i);
  });

  test("records no event of a change that is rolled back", async () => {
    const by = connect();
    const accountId = await addAccount(database);
    const { userId } = await addMember(database, accountId, { role: "owner" });
    const work = actingAs({ type: "user", userId }, () =>
      by.transaction(async (sql) => {
        await sql.execute({ name: "", text: "UPDATE memberships SET role = 'viewer' WHERE account_id = $1" }, [
          accountId,
        ]);
        throw new Error("stop");
      }),
    );
    await expect(work).rejects.toThrow("stop");
    expect(await actionsOf(accountId)).toEqual([]);
  });
});

test("separates the concurrent changes of two actors", async () => {
  const accounts = await Promise.all([1, 2, 3, 4].map(() => addAccount(database)));
  const owners = await Promise.all(accounts.map((accountId) => addMember(database, accountId, { role: "owner" })));
  await Promise.all(
    owners.map(({ userId }, index) =>
      actingAs({ type: "user", userId }, async () => {
        for (let round = 0; round < 10; round++) {
          const { invitation } = createInvitation({ email: `${round}@example.test`, role: "viewer" }, Date.now());
          await createInvitationRepository(database.sql).create(accounts[index] ?? "", invitation);
        }
      }),
    ),
  );
  for (const [index, accountId] of accounts.entries()) {
    const events = await eventsOf(accountId);
    expect(events).toHaveLength(10);
    expect(new Set(events.map(({ actorId }) => actorId))).toEqual(new Set([owners[index]?.userId]));
  }
});

test("records changes by svc-admin as those of the operator", async () => {
  const accountId = await addAccount(database);
  const administration = createAdministration(operator);
  await administration.renameAccount(accountId, "Harbour & Sons");
  const stored = { hint: "abcd", tokenSha256: sha256(), expiresAt: null, createdAt: new Date() };
  const { id } = await administration.createToken({
    accountId,
    name: "CI",
    scopes: ["read"],
    role: "viewer",
    ...stored,
  });
  await administration.revokeToken(id, new Date());
  const events = await eventsOf(accountId);
  expect(events.map(({ action }) => action)).toEqual(["account.updated", "api_token.created", "api_token.revoked"]);
  expect(new Set(events.map(({ actorType }) => actorType))).toEqual(new Set(["operator"]));
  expect(events[0]?.changes).toEqual({ company_name: { from: "Harbour", to: "Harbour & Sons" } });
});

test("records sign-ins, failed sign-ins and changed passwords of the user", async () => {
  const accountId = await addAccount(database);
  const { userId, email } = await addMember(database, accountId, { role: "owner" });
  const sessions = createSessionRepository(database.sql);
  await sessions.create({ tokenSha256: sha256(), userId, accountId, createdAt: now, expiresAt });
  await recordFailedSignIn(database.sql, email.toUpperCase(), "192.0.2.7");
  await recordFailedSignIn(database.sql, "unknown@example.test", "192.0.2.7");
  await replacePassword(database, userId, { passwordHash: "scrypt$secret", keptSession: null, sendsMail: false });
  const events = await eventsOf(accountId);
  expect(events.map(({ action, actorType }) => [action, actorType])).toEqual([
    ["user.signed_in", "user"],
    ["user.sign_in_failed", "unknown"],
    ["user.password_changed", "user"],
  ]);
  expect(events[1]?.changes).toEqual({ address: { from: null, to: "192.0.2.7" } });
  expect(JSON.stringify(events)).not.toContain("scrypt");
});

test("does not record changes by the service itself, such as re-encrypting secrets", async () => {
  const accountId = await addAccount(database);
  await actingAs({ type: "service" }, () =>
    operator.transaction((sql) =>
      sql.execute({ name: "", text: "UPDATE accounts SET company_name = 'B' WHERE id = $1" }, [accountId]),
    ),
  );
  expect(await actionsOf(accountId)).toEqual([]);
});

test("deletes what is older than its retention", async () => {
  const accountId = await addAccount(database);
  const { userId } = await addMember(database, accountId, { role: "owner" });
  const sessions = createSessionRepository(database.sql);
  for (let count = 0; count < 3; count++) {
    await sessions.create({ tokenSha256: sha256(), userId, accountId, createdAt: now, expiresAt });
  }
  const [oldest] = await eventsOf(accountId);
  await database.prisma.auditEvent.updateMany({ where: { id: oldest?.id ?? "" }, data: { createdAt: new Date(0) } });
  expect(await removeOldAuditEvents(database.sql, 400, 10)).toBe(1);
  expect(await eventsOf(accountId)).toHaveLength(2);
});

test("records applications that a user connects and disconnects, and not expired ones", async () => {
  const accountId = await addAccount(database);
  const { userId, email } = await addMember(database, accountId, { role: "owner" });
  const records = createOAuthRecordRepository(database);
  const client = { model: "Client", id: `client-${accountId}`, payload: { client_name: "Route planner" } };
  const none = { accountId: null, grantId: null, uid: null, expiresAt };
  await records.store({ ...none, ...client });
  const payload = {
    accountId: `${accountId}:${userId}`,
    clientId: client.id,
    resources: { "https://mcp.example/mcp": "read write" },
  };
  const grant = (id: string, until = expiresAt) => ({
    ...none,
    model: "Grant",
    id,
    accountId,
    grantId: id,
    payload,
    expiresAt: until,
  });
  await actingAs({ type: "user", userId }, async () => {
    await records.storeGrant(grant(`one-${accountId}`), client.id);
    await records.storeGrant(grant(`one-${accountId}`), client.id);
    await records.disconnect(accountId, `one-${accountId}`);
  });
  await records.storeGrant(grant(`two-${accountId}`, instant(Date.now() - 2 * dayMs)), client.id);
  await actingAs({ type: "user", userId }, () => records.removeGrant(`two-${accountId}`));
  const events = await eventsOf(accountId);
  const application = { actorName: email, subjectType: "application", subjectId: null, subjectName: "Route planner" };
  expect(events).toMatchObject([
    { ...application, action: "application.connected", changes: { scopes: { from: null, to: ["read", "write"] } } },
    { ...application, action: "application.disconnected", changes: { scopes: { from: ["read", "write"], to: null } } },
  ]);
  expect(JSON.stringify(events)).not.toContain(`one-${accountId}`);
});
