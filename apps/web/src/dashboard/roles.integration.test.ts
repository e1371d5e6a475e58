import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type MemberRole, memberRoles } from "@svc/domain/members";
import { formRoles } from "../testing/form-roles.ts";
import { startTestWeb, type TestAccount, type TestWeb, type Visitor } from "../testing/start-test-web.ts";

/** The least role that may submit each form. Null: no session is needed. */
const formRoles: Readonly<Record<string, MemberRole | null>> = {
  "/login": null,
  "/logout": null,
  "/login/code": null,
  "/login/forgotten": null,
  "/login/reset/:secret": null,
  "/setup": null,
  "/join/:secret": null,
  "/alerts/unsubscribe/:token": null,
  "/inbox/:key": null,
  "/times": "viewer",
  "/theme": "viewer",
  "/account/accounts/switch": "viewer",
  "/account/two-factor/start": "viewer",
  "/account/two-factor/cancel": "viewer",
  "/account/two-factor/confirm": "viewer",
  "/account/two-factor/change": "viewer",
  "/account/password": "viewer",
  "/account/sessions/:sha256/end": "viewer",
  "/account/sessions/end-all": "viewer",
  "/track": "operator",
  "/track/bulk": "operator",
  "/track/import": "operator",
  "/track/edi": "operator",
  "/attention/:id": "operator",
  "/shipments/:id/edit": "operator",
  "/shipments/:id/tracking": "operator",
  "/shipments/:id/share": "operator",
  "/shipments/:id/share/:link/revoke": "operator",
  "/account/share-links/:link/revoke": "operator",
  "/views": "operator",
  "/views/:id/settings": "operator",
  "/account/views/:id/edit": "operator",
  "/account/views/:id/delete": "operator",
  "/account/demurrage": "operator",
  "/account/demurrage/:id/edit": "operator",
  "/account/demurrage/:id/delete": "operator",
  "/account/alerts": "operator",
  "/account/alerts/:id/edit": "operator",
  "/account/alerts/:id/state": "operator",
  "/account/alerts/:id/test": "operator",
  "/account/alerts/:id/delete": "operator",
  "/carriers/:scac": "developer",
  "/carriers/:scac/test": "developer",
  "/carriers/:scac/state": "developer",
  "/carriers/:scac/disconnect": "developer",
  "/oauth/interaction/:uid": "developer",
  "/developers/tokens": "developer",
  "/developers/tokens/:id/revoke": "developer",
  "/developers/webhooks": "developer",
  "/developers/webhooks/:id/edit": "developer",
  "/developers/webhooks/:id/state": "developer",
  "/developers/webhooks/:id/rotate": "developer",
  "/developers/webhooks/:id/delete": "developer",
  "/developers/webhooks/:id/test": "developer",
  "/developers/webhooks/:id/recover": "developer",
  "/developers/notifications/:id/redeliver": "developer",
  "/developers/inbox": "developer",
  "/developers/inbox/answer": "developer",
  "/developers/inbox/check": "developer",
  "/developers/inbox/empty": "developer",
  "/developers/inbox/close": "developer",
  "/developers/mcp/applications/:grantId/disconnect": "developer",
  "/account/members/invite": "owner",
  "/account/members/:id/role": "owner",
  "/account/members/:id/remove": "owner",
  "/account/invitations/:id/withdraw": "owner",
};

const parameters: Readonly<Record<string, string>> = { sha256: "a".repeat(64), scac: "MAEU", secret: "a".repeat(43) };
const addressOf = (path: string): string =>
  path.replace(/:(\w+)/g, (_all, name: string) => parameters[name] ?? "01890000-0000-7000-8000-000000000000");

let app: TestWeb;
let owner: TestAccount;
beforeAll(async () => {
  app = await startTestWeb();
  owner = await app.addAccount();
});
afterAll(() => app.close());

test("[issue 17] every form of the web application has a least role", () => {
  expect(app.postPaths.toSorted()).toEqual(Object.keys(formRoles).toSorted());
});

describe.each(memberRoles)("[issue 17] a %s", (role) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await app.visit(await app.addMember(owner, role));
  });

  const submitted = Object.entries(formRoles).filter(([path, least]) => least !== null && !path.endsWith("/end-all"));

  test.each(submitted)("POST %s requires %s", async (path, least) => {
    const answer = await visitor.post(addressOf(path), {});
    const text = await answer.text();
    const isAllowed = memberRoles.indexOf(role) >= memberRoles.indexOf(least as MemberRole);
    // No redirect to the login: the session was still valid.
    expect(answer.headers.get("location") ?? "").not.toMatch(/^\/login/);
    expect(/requires the role/.test(text)).toBe(!isAllowed);
    expect(answer.status === 403).toBe(!isAllowed);
    if (!isAllowed) expect(text).toContain(`requires the role ${least} of the account; yours is ${role}`);
  });

  test("may end all own sessions", async () => {
    const answer = await visitor.post("/account/sessions/end-all", {});
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login"]);
  });
});

describe("[issue 17] pages", () => {
  const forms: readonly (readonly [string, MemberRole])[] = [
    ["/track", "operator"],
    ["/track/bulk", "operator"],
    ["/developers/tokens/new", "developer"],
    ["/developers/webhooks/new", "developer"],
    ["/account/alerts/new", "operator"],
    ["/account/audit", "owner"],
  ];

  test.each(forms)("%s, which is a form, requires %s", async (path, least) => {
    for (const role of memberRoles) {
      const visitor = await app.visit(await app.addMember(owner, role));
      const isAllowed = memberRoles.indexOf(role) >= memberRoles.indexOf(least);
      expect([role, (await visitor.get(path)).status === 403]).toEqual([role, !isAllowed]);
    }
  });
});
