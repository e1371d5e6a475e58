import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount, addMember as addUser } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createAccountTokenRepository } from "../tokens/account-token-repository.ts";
import { setMemberRole } from "./set-member-role.ts";

const now = instant("2026-11-21T10:00:00Z");
const database = started(openTestDatabase);

const addMember = async (accountId: string, role: string): Promise<string> =>
  (await addUser(database, accountId, { role })).userId;

async function addToken(accountId: string, createdByUserId: string): Promise<string> {
  const id = uuidV7.next();
  const tokenSha256 = createHash("sha256").update(randomBytes(8)).digest();
  const token = { id, name: "Import", scopes: ["read", "write"], hint: "abcd", tokenSha256 } as const;
  const tokens = createAccountTokenRepository(database.sql);
  await tokens.create(accountId, { ...token, createdByUserId, expiresAt: null, createdAt: now });
  return id;
}

const roleOf = async (accountId: string, userId: string) =>
  (await database.prisma.membership.findFirstOrThrow({ where: { accountId, userId } })).role;
const tokenRole = async (id: string) => (await database.prisma.apiToken.findUniqueOrThrow({ where: { id } })).role;

test("gives a token the role of its creator, limited by a lower one and not raised by a higher one", async () => {
  const accountId = await addAccount(database);
  await addMember(accountId, "owner");
  const [userId, otherId] = [await addMember(accountId, "developer"), await addMember(accountId, "developer")];
  const [token, other] = [await addToken(accountId, userId), await addToken(accountId, otherId)];
  const steps: readonly (readonly [MemberRole, string])[] = [
    ["owner", "developer"],
    ["operator", "operator"],
    ["viewer", "viewer"],
    ["developer", "viewer"],
  ];
  for (const [role, limit] of steps) {
    expect(await setMemberRole(database, { accountId, userId, role })).toBe(true);
    expect([await roleOf(accountId, userId), await tokenRole(token)]).toEqual([role, limit]);
  }
  expect(await tokenRole(other)).toBe("developer");
});

test("limits a token that is created while its creator is made a viewer", async () => {
  const accountId = await addAccount(database);
  await addMember(accountId, "owner");
  for (let round = 0; round < 10; round++) {
    const userId = await addMember(accountId, "developer");
    const role = "viewer";
    const [token] = await Promise.all([
      addToken(accountId, userId),
      setMemberRole(database, { accountId, userId, role }),
    ]);
    expect(await tokenRole(token)).toBe("viewer");
  }
});

test("keeps one owner, also when two owners change each other at the same time", async () => {
  const accountId = await addAccount(database);
  const [left, right] = [await addMember(accountId, "owner"), await addMember(accountId, "owner")];
  const changed = await Promise.all(
    [left, right].map((userId) => setMemberRole(database, { accountId, userId, role: "viewer" })),
  );
  expect(changed.toSorted()).toEqual([false, true]);
  expect([await roleOf(accountId, left), await roleOf(accountId, right)].toSorted()).toEqual(["owner", "viewer"]);
});

test("changes nothing for a user of another account", async () => {
  const [accountId, otherId] = [await addAccount(database), await addAccount(database)];
  const userId = await addMember(otherId, "operator");
  expect(await setMemberRole(database, { accountId, userId, role: "owner" })).toBe(false);
  expect(await roleOf(otherId, userId)).toBe("operator");
});

test("treats the previous build's members as developers", async () => {
  const accountId = await addAccount(database);
  expect(await roleOf(accountId, await addMember(accountId, "member"))).toBe("developer");
});
