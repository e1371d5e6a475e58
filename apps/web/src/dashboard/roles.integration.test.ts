import { describe, expect, test } from "@jest/globals";
import { type MemberRole, memberRoles } from "@svc/domain/members";
import { started } from "@svc/testkit/started";
import { formRoles, pageRoles } from "../testing/route-roles.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const parameters: Readonly<Record<string, string>> = { sha256: "a".repeat(64), scac: "MAEU", secret: "a".repeat(43) };
const addressOf = (path: string): string =>
  path.replace(/:(\w+)/g, (_all, name: string) => parameters[name] ?? "01890000-0000-7000-8000-000000000000");

const app = started(startTestWeb);
const owner = started(() => app.addAccount());

describe.each(memberRoles)("a %s", (role) => {
  const visitor = started(async () => app.visit(await app.addMember(owner, role)));

  const submitted = Object.entries(formRoles).filter(
    ([path, minRole]) => minRole !== null && !path.endsWith("/end-all"),
  );

  test.each(submitted)("POST %s requires %s", async (path, minRole) => {
    const response = await visitor.post(addressOf(path), {});
    const text = await response.text();
    const isAllowed = memberRoles.indexOf(role) >= memberRoles.indexOf(minRole as MemberRole);
    // No redirect to the login: the session was still valid.
    expect(response.headers.get("location") ?? "").not.toMatch(/^\/login/);
    expect(/requires the role/.test(text)).toBe(!isAllowed);
    expect(response.status === 403).toBe(!isAllowed);
    if (!isAllowed) expect(text).toContain(`requires the role ${minRole} of the account; yours is ${role}`);
  });

  const restricted = Object.entries(pageRoles).filter(([, minRole]) => minRole !== null && minRole !== "viewer");

  test.each(restricted)("GET %s requires %s", async (path, minRole) => {
    const isAllowed = memberRoles.indexOf(role) >= memberRoles.indexOf(minRole as MemberRole);
    expect((await visitor.get(addressOf(path))).status === 403).toBe(!isAllowed);
  });

  test("may end all own sessions", async () => {
    const response = await visitor.post("/account/sessions/end-all", {});
    expect([response.status, response.headers.get("location")]).toEqual([303, "/login"]);
  });
});
