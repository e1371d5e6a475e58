import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { createOAuthRecordRepository } from "@svc/persistence/oauth";
import { createAccountTokenRepository, createTokenRepository, generateApiToken } from "@svc/persistence/tokens";
import { started } from "@svc/testkit/started";
import { startTestWeb, type TestAccount } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(startTestWeb);
const account = started(() => app.addAccount());
const owner = started(() => app.visit(account));
const member = started(() => app.addMember(account, "developer"));

const page = ({ userId }: TestAccount) => `/account/members/${userId}/remove`;

async function addToken(name: string, { id: accountId, userId }: TestAccount) {
  const { hint, tokenSha256 } = generateApiToken();
  const id = uuidV7.next();
  const tokenFields = { id, name, scopes: ["read"], hint, tokenSha256, expiresAt: null } as const;
  const createdAt = instant(Date.now());
  await createAccountTokenRepository(app.database.sql).create(accountId, {
    ...tokenFields,
    createdByUserId: userId,
    createdAt,
  });
  return { id, works: async () => (await createTokenRepository(app.database.sql).authenticate(tokenSha256)) !== null };
}

/** Stores the access of an application as the authorization server does. */
async function connectApplication(grantId: string, { id: accountId, userId }: TestAccount) {
  const records = createOAuthRecordRepository(app.database);
  const subject = `${accountId}:${userId}`;
  const none = { accountId, grantId, uid: null, expiresAt: instant(Date.now() + 3_600_000) };
  const grant = { accountId: subject, clientId: "planner", resources: { mcp: "read" } };
  await records.storeGrant({ ...none, model: "Grant", id: grantId, payload: grant }, "planner");
  await records.store({ ...none, model: "RefreshToken", id: `refresh-${grantId}`, payload: { accountId: subject } });
  const id = randomBytes(16).toString("hex");
  const apiToken = { id: uuidV7.next(), name: "planner", scopes: ["read"], userId } as const;
  await records.storeAccessToken({ ...none, model: "AccessToken", id, payload: {}, apiToken });
  const sha256 = createHash("sha256").update(id).digest();
  return {
    works: async () => (await createTokenRepository(app.database.sql).authenticate(sha256)) !== null,
    canRefresh: async () => (await records.find("RefreshToken", `refresh-${grantId}`)) !== null,
  };
}

test("a removal lists the member's tokens, revokes the selected ones and ends connected applications", async () => {
  const second = await app.addAccount();
  await app.database.prisma.membership.create({
    data: { accountId: second.id, userId: member.userId, role: "developer" },
  });
  const [laptop, nightly] = [await addToken("Laptop", member), await addToken("Nightly import", member)];
  const ownToken = await addToken("Mine", account);
  const otherAccountToken = await addToken("Elsewhere", { ...second, userId: member.userId });
  const planner = await connectApplication("of-member", member);
  const others = [
    await connectApplication("of-owner", account),
    await connectApplication("of-member-elsewhere", { ...second, userId: member.userId }),
  ];
  const text = await (await owner.get(page(member))).text();
  expect(text).toContain("applications that they connected lose access");
  for (const { id } of [laptop, nightly]) expect(text).toContain(`name="revoke" value="${id}" checked`);
  for (const { id } of [ownToken, otherAccountToken]) expect(text).not.toContain(id);
  // Ids of other tokens are ignored.
  const revoke = [laptop.id, ownToken.id, otherAccountToken.id, "x"];
  expect((await owner.post(page(member), { revoke })).headers.get("location")).toBe("/account/members?done=removed");
  expect([
    await laptop.works(),
    await nightly.works(),
    await ownToken.works(),
    await otherAccountToken.works(),
  ]).toEqual([false, true, true, true]);
  expect([await planner.works(), await planner.canRefresh()]).toEqual([false, false]);
  for (const other of others) expect([await other.works(), await other.canRefresh()]).toEqual([true, true]);
  const events = await app.database.prisma.auditEvent.findMany({ where: { accountId: account.id } });
  expect(events.map(({ action, subjectName }) => `${action} ${subjectName}`)).toEqual(
    expect.arrayContaining([
      "api_token.revoked Laptop",
      "application.disconnected planner",
      `member.deleted ${member.email}`,
    ]),
  );
  expect(events.filter(({ action }) => action === "api_token.revoked")).toHaveLength(1);
});

test("no action on the only owner is offered, with the reason, until there is another owner", async () => {
  const list = async () => (await owner.get("/account/members")).text();
  const rolePath = `/account/members/${account.userId}/role`;
  const alone = await list();
  expect(alone).not.toContain(`href="${page(account)}"`);
  expect(alone).not.toContain(`href="${rolePath}"`);
  const reason = "The only owner: make another member owner to change this";
  expect(visibleText(alone)).toContain(`Owner ${reason}`);
  const second = await app.addMember(account, "owner");
  const both = await list();
  expect(both).toContain(`href="${page(account)}"`);
  expect(both).toContain(`href="${rolePath}"`);
  expect(both).not.toContain(reason);
  await owner.post(page(second), {});
});

test("the last owner is not removed, and no token of theirs is revoked", async () => {
  const token = await addToken("Of the owner", account);
  const response = await owner.post(page(account), { revoke: token.id });
  expect([response.status, await response.text()]).toEqual([409, expect.stringContaining("This is the last owner.")]);
  expect(await token.works()).toBe(true);
});
