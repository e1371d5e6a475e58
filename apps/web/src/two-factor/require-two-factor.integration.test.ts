import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { setSignInRules } from "@svc/persistence/members";
import { createSessionRepository } from "@svc/persistence/sessions";
import { started } from "@svc/testkit/started";
import { Secret, TOTP } from "otpauth";
import { password, startTestWeb, type Visitor } from "../testing/start-test-web.ts";

const rules = "/account/sign-in-rules";
const setUp = "/account/two-factor";

const app = started(startTestWeb);
const account = started(() => app.addAccount());

const where = async (response: Promise<Response>) => {
  const { status, headers } = await response;
  return [status, headers.get("location")];
};
/** Whether the API accepts the session. */
const isAccepted = async ({ cookie }: Visitor) =>
  (await createSessionRepository(app.database.sql).authenticate(
    createHash("sha256")
      .update(cookie.split("=")[1] ?? "")
      .digest(),
  )) !== null;

async function enableTwoFactor(user: Visitor): Promise<void> {
  await user.post(`${setUp}/start`, { present: password });
  const page = await (await user.get(setUp)).text();
  const secret = (/<code class="totp-key">([A-Z2-7 ]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const code = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate();
  expect((await user.post(`${setUp}/confirm`, { code })).status).toBe(200);
}

describe("an account that requires two-factor authentication", () => {
  test("leads members without it to the set-up, and lets them do nothing else in the account", async () => {
    const [owner, member] = [await app.visit(account), await app.visit(await app.addMember(account, "developer"))];
    expect(await isAccepted(member)).toBe(true);
    expect((await owner.post(rules, { two_factor: "required" })).status).toBe(303);
    for (const path of ["/shipments", "/containers/x", "/account/members", "/developers/tokens", "/account/password"]) {
      expect([path, ...(await where(member.get(path)))]).toEqual([path, 302, setUp]);
    }
    for (const path of ["/developers/tokens", "/account/password", "/account/calendar", "/track"]) {
      expect([path, ...(await where(member.post(path, { name: "x" })))]).toEqual([path, 303, setUp]);
    }
    expect(await isAccepted(member)).toBe(false);
    expect(
      (await app.request("/shipments", { headers: { cookie: member.cookie, accept: "application/json" } })).status,
    ).toBe(403);
    expect(await (await member.get(setUp)).text()).toContain("requires two-factor authentication. Set it up to");
    expect((await member.get("/account/accounts")).status).toBe(200);
    expect(await app.database.prisma.apiToken.count({ where: { accountId: account.id } })).toBe(1);
    await enableTwoFactor(member);
    expect([(await member.get("/account/members")).status, await isAccepted(member)]).toEqual([200, true]);
    // The owner has none either.
    expect(await where(owner.get(rules))).toEqual([302, setUp]);
  });

  test("keeps it on, while it is required", async () => {
    const user = await app.visit(await app.addMember(account, "viewer"));
    await enableTwoFactor(user);
    expect(await (await user.get(setUp)).text()).not.toContain("Turn off");
    const response = await user.post(`${setUp}/change`, { present: password, do: "off" });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining("so it stays on")]);
    await setSignInRules(app.database.sql, account.id, { requiresTwoFactor: false });
    expect((await user.post(`${setUp}/change`, { present: password, do: "off" })).status).toBe(303);
  });

  test("leaves other accounts, API tokens and sign-ins by a provider that asks for a second factor", async () => {
    const other = await app.addAccount();
    await setSignInRules(app.database.sql, other.id, { requiresTwoFactor: true });
    const owner = await app.visit(other);
    expect(await where(owner.get("/account/members"))).toEqual([302, setUp]);
    const tokenResponse = await app.request("/account/members", { headers: { authorization: `Token ${other.token}` } });
    expect(tokenResponse.headers.get("location")).toBeNull();
    await app.database.prisma.membership.create({
      data: { accountId: (await app.addAccount()).id, userId: other.userId, role: "viewer" },
    });
    await app.database.prisma.userSession.updateMany({
      where: { userId: other.userId },
      data: { method: "trusted_single_sign_on" },
    });
    expect([(await owner.get("/account/members")).status, await isAccepted(owner)]).toEqual([200, true]);
  });

  test("is recorded, for owners only, and not without the key", async () => {
    const events = await app.database.prisma.auditEvent.findMany({
      where: { accountId: account.id, action: "account.updated" },
    });
    expect(events).toMatchObject([
      { actorName: account.email, changes: { requires_two_factor: { from: false, to: true } } },
    ]);
    const member = await app.visit(await app.addMember(account, "developer"));
    expect((await member.post(rules, { two_factor: "required" })).status).toBe(403);
    const keyless = await startTestWeb({ database: app, secretKey: null });
    const owner = await keyless.visit(await keyless.addAccount());
    const response = await owner.post(rules, { two_factor: "required" });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining("SVC_SECRET_KEY")]);
    await keyless.close();
  });
});
