import { expect, test } from "@jest/globals";
import { type MemberAction, mayDo, memberRoles, minRoles, refusalMessage } from "./member-role.ts";

const actions = Object.keys(minRoles) as MemberAction[];

test("each role may do everything that the previous one may, and something more", () => {
  const allowed = memberRoles.map((role) => actions.filter((action) => mayDo(role, action)));
  for (const [index, roles] of allowed.entries()) {
    expect(roles).toEqual(expect.arrayContaining(allowed[index - 1] ?? []));
    expect(roles.length).toBeGreaterThan(allowed[index - 1]?.length ?? 0);
  }
  expect(allowed.at(-1)).toEqual(actions);
});

test("a viewer only reads and manages their own sign-in", () => {
  expect(actions.filter((action) => mayDo("viewer", action))).toEqual(["read", "manage_own_sign_in"]);
});

test("a refusal names the required role", () => {
  expect(refusalMessage("viewer", "manage_webhooks")).toMatch(/requires the role developer .* yours is viewer/);
});
