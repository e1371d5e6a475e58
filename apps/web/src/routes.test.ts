import { expect, test } from "@jest/globals";
import type { MemberRole } from "@svc/domain/members";
import { routes } from "./routes.ts";
import { formRoles } from "./testing/route-roles.ts";

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`, "i").test(path);

test("no route is hidden by an earlier one of its method", () => {
  const hidden = routes.flatMap(({ method, path }, index) =>
    routes
      .slice(0, index)
      .filter((earlier) => (earlier.method === method || earlier.method === "ALL") && matches(earlier.path, path))
      .map((earlier) => `${method} ${path} is hidden by ${earlier.path}`),
  );
  expect(hidden).toEqual([]);
});

/** Forms by the beginning of their path; all others require an operator. */
const areas: readonly (readonly [RegExp, MemberRole])[] = [
  [/^\/account\/(members|invitations|sign-in-rules)/, "owner"],
  [/^\/(developers|carriers|oauth)\//, "developer"],
  [/^\/(times|theme)$/, "viewer"],
  [/^\/account\/(accounts|two-factor|display|calendar|password|sessions|alerts\/mentions)/, "viewer"],
];

const forms = Object.entries(formRoles).filter(([, minRole]) => minRole !== null);

test.each(forms)("the form %s requires the role of its area, %s", (path, minRole) => {
  const [, expected = "operator"] = areas.find(([pattern]) => pattern.test(path)) ?? [];
  expect(minRole).toBe(expected);
});

test("forms without a session are those of the sign-in, of invitations, and of addresses with a secret", () => {
  const open = Object.entries(formRoles).flatMap(([path, minRole]) => (minRole === null ? path : []));
  expect(open.filter((path) => !/^\/(login|logout|setup)|\/:(secret|token|key)$/.test(path))).toEqual([]);
});
