import { afterAll, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { createEgressFetch } from "@svc/egress";
import { connectDatabase } from "@svc/persistence";
import { createLogger } from "@svc/service-kit";
import { Registry } from "prom-client";
import { createRoutes } from "./routes.ts";
import { createServices } from "./services.ts";
import { accessTable } from "./testing/access-table.ts";
import { formRoles } from "./testing/route-roles.ts";

// No handler runs, so nothing connects to it.
const database = connectDatabase({
  url: "postgresql://127.0.0.1:1/none",
  applicationName: "test",
  onIdleError: () => undefined,
});
const documents = createEgressFetch({ allowInsecureTargets: false });

afterAll(() => Promise.all([database.close(), documents.destroy()]));

/** Those of an installation with every page. */
const routes = createRoutes(
  createServices({
    database,
    documents,
    appUrl: "http://localhost:4002",
    apiBaseUrl: "http://localhost:4000/v2",
    internalApiBaseUrl: "http://localhost:4000/v2",
    mcpUrl: "http://localhost:4001/mcp",
    clock: { now: () => instant(Date.now()) },
    trustedProxyCount: 0,
    sendsMail: false,
    caughtMailFolder: "/none",
    logger: createLogger({ service: "web-test" }),
    metrics: new Registry(),
  }),
);

test("the routes are those of the reviewed table, with the same access", () => {
  const rowsOf = (listed: typeof accessTable) =>
    listed.map(({ method, path, access, isOpenBeforeSetUp }) => [path, method, access, isOpenBeforeSetUp].join(" "));
  const created = routes.map(({ isOpenBeforeSetUp = false, ...route }) => ({ ...route, isOpenBeforeSetUp }));
  expect(rowsOf(created).toSorted()).toEqual(rowsOf(accessTable).toSorted());
});

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
