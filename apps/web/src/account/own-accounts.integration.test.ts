import { beforeEach, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started, startedEach } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { password, startTestWeb, type TestAccount, type Visitor } from "../testing/start-test-web.ts";

/** The account of the invited user, and the account that invites. */
let own: TestAccount;
let other: TestAccount;

const app = started(() => startTestWeb({ withApi: true }));
beforeEach(async () => {
  [own, other] = [await app.addAccount(), await app.addAccount()];
  await app.database.prisma.account.update({ where: { id: own.id }, data: { companyName: "Own & Sons" } });
  await app.database.prisma.account.update({ where: { id: other.id }, data: { companyName: "Other Lines" } });
  await addShipment(app.database, own.id, { number: `OWN${own.id.slice(-6)}` });
  await addShipment(app.database, other.id, { number: `OTHER${other.id.slice(-6)}` });
});
const user = startedEach(() => app.visit(own));

async function invite(email: string, role = "operator", by: TestAccount = other): Promise<string> {
  const response = await (await app.visit(by)).post("/account/members/invite", { email, role });
  return /\/join\/[\w-]{43}/.exec(await response.text())?.[0] ?? "";
}

/** The visitor with the session that an answer starts. */
function continued(response: Response): Visitor {
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return {
    cookie,
    get: (path) => app.request(path, { headers: { cookie } }),
    post: (path, form, headers = { origin: app.url }) =>
      app.request(path, { form: form as Record<string, string>, headers: { cookie, ...headers } }),
  };
}

async function joined(role = "operator"): Promise<Visitor> {
  const response = await user.post(await invite(own.email.toUpperCase(), role), {});
  expect([response.status, response.headers.get("location")]).toEqual([303, "/shipments"]);
  return continued(response);
}
const switchTo = (by: Visitor, account: string, headers?: Record<string, string>) =>
  by.post("/account/accounts/switch", { account }, headers);
const visibleShipments = async (by: Visitor): Promise<string[]> => {
  const page = await (await by.get("/shipments")).text();
  return ["OWN", "OTHER"].filter((start) => new RegExp(`${start}[0-9a-f]{6}`).test(page));
};
const rolesOf = (userId: string) =>
  app.database.prisma.membership.findMany({ where: { userId }, select: { accountId: true, role: true } });

describe("an invitation for the address of a user", () => {
  test("is accepted with one click when the user is signed in, who then works in that account", async () => {
    const link = await invite(own.email);
    const page = await (await user.get(link)).text();
    expect(page).toContain("Join Other Lines");
    expect(page).not.toContain('name="password"');
    const member = await joined();
    expect(await visibleShipments(member)).toEqual(["OTHER"]);
    expect(await rolesOf(own.userId)).toEqual(
      expect.arrayContaining([
        { accountId: own.id, role: "owner" },
        { accountId: other.id, role: "operator" },
      ]),
    );
    // The session before is over, so that no tab is left that shows the other account.
    expect((await user.get("/shipments")).status).toBe(302);
  });

  test("asks who is not signed in, or is another user, for the existing password, and leads back", async () => {
    const link = await invite(own.email);
    const otherVisitor = await app.visit(await app.addAccount());
    for (const page of [await app.request(link), await otherVisitor.get(link)]) {
      const text = await page.text();
      expect(text).toContain('action="/login"');
      expect(text).toContain(`name="next" value="${link}"`);
      expect(text).not.toContain("New password");
    }
    const refused = await otherVisitor.post(link, {});
    expect([refused.status, refused.headers.get("location")]).toEqual([303, link]);
    expect(await rolesOf(own.userId)).toHaveLength(1);
    const response = await app.request("/login", { form: { email: own.email, password, next: link } });
    expect(response.headers.get("location")).toBe(link);
    expect(await visibleShipments(continued(await continued(response).post(link, {})))).toEqual(["OTHER"]);
  });

  test("accepts an invitation once, and refuses a withdrawn or expired one, or one of a suspended account", async () => {
    const link = await invite(own.email);
    const responses = await Promise.all([user.post(link, {}), user.post(link, {})]);
    expect(
      responses.map(({ headers }) => headers.get("location")).filter((place) => place === "/shipments"),
    ).toHaveLength(1);
    expect((await app.request(link)).status).toBe(404);
    const late = await invite(own.email, "viewer", await app.addAccount());
    await app.database.prisma.invitation.updateMany({ where: { email: own.email }, data: { expiresAt: new Date(0) } });
    const suspended = await app.addAccount();
    const closed = await invite(own.email, "viewer", suspended);
    await app.database.prisma.account.update({ where: { id: suspended.id }, data: { suspendedAt: new Date() } });
    const again = await app.visit(own);
    for (const over of [late, closed]) {
      expect([(await again.get(over)).status, (await again.post(over, {})).status]).toEqual([404, 404]);
    }
  });

  test("changes neither the password nor the role of who is a member already", async () => {
    const member = await joined("viewer");
    await app.database.prisma.invitation.create({
      data: {
        accountId: other.id,
        id: uuidV7.next(),
        email: own.email,
        role: "owner",
        tokenSha256: new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode("a".repeat(43)))),
        createdAt: new Date(),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    expect((await member.post(`/join/${"a".repeat(43)}`, {})).status).toBe(303);
    expect(await rolesOf(own.userId)).toContainEqual({ accountId: other.id, role: "viewer" });
    expect((await app.request("/login", { form: { email: own.email, password } })).status).toBe(303);
  });

  test("both accounts record it: the member, and that the user signed in", async () => {
    await joined();
    const events = await app.database.prisma.auditEvent.findMany({
      where: { accountId: other.id, actorId: own.userId },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action }) => action).sort()).toEqual([
      "invitation.deleted",
      "member.created",
      "user.signed_in",
    ]);
  });
});

describe("a user of two accounts", () => {
  test("is offered the switch in the header, and one of a single account is not", async () => {
    expect(await (await user.get("/account/accounts")).text()).not.toContain(", switch account");
    const member = await joined();
    const page = await (await member.get("/account/accounts")).text();
    expect(page).toContain('aria-label="Other Lines, switch account"');
    expect(page).toContain("Switch to Own &amp; Sons");
    expect(page).not.toContain("Switch to Other Lines");
  });

  test("sees and changes the rows of one account at a time, with the role in it", async () => {
    const inOther = await joined("viewer");
    expect((await inOther.post("/account/members/invite", { email: "a@example.test", role: "viewer" })).status).toBe(
      403,
    );
    const inOwn = continued(await switchTo(inOther, own.id));
    expect(await visibleShipments(inOwn)).toEqual(["OWN"]);
    expect((await inOwn.get("/account/members")).status).toBe(200);
    expect(await (await inOwn.get("/account/members")).text()).not.toContain(other.email);
    expect((await inOwn.get(`/account/members/${other.userId}/remove`)).status).toBe(404);
    expect((await inOwn.post(`/account/members/${other.userId}/remove`, {})).status).toBe(404);
    expect((await inOther.get("/shipments")).status).toBe(302);
    expect(await visibleShipments(continued(await switchTo(inOwn, other.id)))).toEqual(["OTHER"]);
  });

  test("cannot switch to an account of others, one that is suspended, or nonsense, and stays where they are", async () => {
    const otherAccount = await app.addAccount();
    const member = await joined();
    await app.database.prisma.account.update({ where: { id: own.id }, data: { suspendedAt: new Date() } });
    for (const account of [otherAccount.id, own.id, "nonsense", ""]) {
      const response = await switchTo(member, account);
      expect([response.status, response.headers.getSetCookie()]).toEqual([404, []]);
    }
    expect(await visibleShipments(member)).toEqual(["OTHER"]);
  });

  test("cannot be switched by another site", async () => {
    const member = await joined();
    for (const headers of [{}, { origin: "https://evil.example" }] as Record<string, string>[]) {
      expect((await switchTo(member, own.id, headers)).status).toBe(403);
    }
    expect(await visibleShipments(member)).toEqual(["OTHER"]);
  });

  test("keeps the end of the session, and signs in to the account that was used last", async () => {
    const member = await joined();
    const { expiresAt } = await app.database.prisma.userSession.findFirstOrThrow({
      where: { userId: own.userId, revokedAt: null },
    });
    await switchTo(member, own.id);
    const present = { userId: own.userId, revokedAt: null };
    expect(await app.database.prisma.userSession.findMany({ where: present })).toMatchObject([
      { accountId: own.id, expiresAt },
    ]);
    expect(await visibleShipments(await app.visit(own))).toEqual(["OWN"]);
  });

  test("stays a user when one account removes them, and loses that account at once", async () => {
    const member = await joined();
    const owner = await app.visit(other);
    expect((await owner.post(`/account/members/${own.userId}/remove`, {})).status).toBe(303);
    expect((await member.get("/shipments")).status).toBe(302);
    expect(await visibleShipments(await app.visit(own))).toEqual(["OWN"]);
  });
});
