import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { addMember } from "@svc/persistence/testing";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(() => startTestApi({ limits: { default: 2, session: 4, infer: 1 } }));

/** A signed-in user of a new account; the value is what the browser's cookie holds. */
async function logIn({ lastsMs = 60_000 } = {}) {
  const { prisma } = api.database;
  const account = await api.createAccount();
  const { userId } = await addMember(api.database, account.id);
  const createdAt = new Date();
  const value = randomBytes(32).toString("base64url");
  const tokenSha256 = Buffer.from(createHash("sha256").update(value).digest());
  const expiresAt = new Date(Date.now() + lastsMs);
  await prisma.userSession.create({ data: { tokenSha256, userId, accountId: account.id, createdAt, expiresAt } });
  return { account, userId, value, tokenSha256 };
}

async function addToken(accountId: string, token: string): Promise<void> {
  const tokenSha256 = createHash("sha256").update(token).digest();
  const data = { id: uuidV7.next(), accountId, name: "", hint: token.slice(-4), scopes: ["read"], tokenSha256 };
  await api.database.prisma.apiToken.create({ data: { ...data, createdAt: new Date() } });
}

const statusWith = async (token: string, path = "/shipments") => (await api.request(path, { token })).status;

describe("the session of a person as the caller", () => {
  test("reads and writes in the account, and is the user of what it creates", async () => {
    const { account, userId, value } = await logIn();
    const attributes = { request_type: "container", request_number: "MSCU6639871", scac: "SBXL" };
    const body = { data: { type: "tracking_request", attributes } };
    const created = await api.request("/tracking_requests", { method: "POST", token: value, body });
    expect(created.status).toBe(201);
    const read = await api.request(`/tracking_requests/${created.body.data.id}`, { token: account.readToken });
    expect([read.status, read.body.data.relationships.user]).toEqual([200, { data: { type: "user", id: userId } }]);
    const { createdByTokenId } = await api.database.prisma.trackingRequest.findUniqueOrThrow({
      where: { accountId_id: { accountId: account.id, id: created.body.data.id } },
    });
    expect(createdByTokenId).toBeNull();
  });

  test("is rejected once the session is revoked or has expired, or the member was removed", async () => {
    const [revoked, left, over] = [await logIn(), await logIn(), await logIn({ lastsMs: -1 })];
    const { prisma } = api.database;
    await prisma.userSession.update({ where: { tokenSha256: revoked.tokenSha256 }, data: { revokedAt: new Date() } });
    await prisma.membership.deleteMany({ where: { userId: left.userId } });
    for (const { value } of [revoked, left, over]) expect(await statusWith(value)).toBe(401);
  });

  test("is found at once; a token of an operator's choice may look like one", async () => {
    const { account, value } = await logIn();
    const before = api.statementsOfAllAccounts().length;
    expect(await statusWith(value)).toBe(200);
    const statements = api.statementsOfAllAccounts().slice(before);
    expect(statements.map(({ name }) => name)).toEqual(["sessions.authenticate"]);
    const token = randomBytes(32).toString("base64url");
    await addToken(account.id, token);
    expect(await statusWith(token)).toBe(200);
  });

  test("does not accept a cookie", async () => {
    const { value } = await logIn();
    const headers = { cookie: `svc_session=${value}` };
    expect((await api.request("/shipments", { token: null, headers })).status).toBe(401);
  });

  test("has a rate limit separate from the account's programs, except for operations that poll carriers", async () => {
    const { account, value } = await logIn();
    for (let count = 0; count < 2; count++) expect(await statusWith(account.token)).toBe(200);
    expect(await statusWith(account.token)).toBe(429);
    for (let count = 0; count < 4; count++) expect(await statusWith(value)).toBe(200);
    expect(await statusWith(value)).toBe(429);
    const infer = { method: "POST", body: { number: "MSCU6639871" } };
    expect((await api.request("/tracking_requests/infer_number", { ...infer, token: account.token })).status).toBe(200);
    expect((await api.request("/tracking_requests/infer_number", { ...infer, token: value })).status).toBe(429);
  });
});
