import { expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { startedEach } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";

const chosen = "paper boat morning";

const owner = { companyName: "Harbour & Sons", email: "anna@example.test", password: chosen };

const app = startedEach(startTestWeb);

/** The setup code, which the operator reads in the log. */
const codeInLog = async () =>
  eventually("the code is in the log", () => /"setup_code":"([\w-]{20})"/.exec(app.log())?.[1] ?? false);

const setUp = async (form: Record<string, string> = {}, headers: Record<string, string> = { origin: app.url }) =>
  app.request("/setup", {
    form: {
      code: await codeInLog(),
      companyName: "Harbour & Sons",
      email: "anna@example.test",
      password: chosen,
      again: chosen,
      ...form,
    },
    headers,
  });

test("sets up an installation without an account once, with the code in its log", async () => {
  expect((await app.request("/login")).headers.get("location")).toBe("/setup");
  expect(await (await app.request("/setup")).text()).toContain("Set up this installation");
  const response = await setUp();
  expect(response.status).toBe(303);
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect(await (await app.request("/account/members", { headers: { cookie } })).text()).toContain("anna@example.test");
  expect((await app.request("/login", { form: { email: "anna@example.test", password: chosen } })).status).toBe(303);
  expect((await app.request("/setup")).headers.get("location")).toBe("/login");
  expect((await setUp({ email: "eve@example.test" })).headers.get("location")).toBe("/login");
  expect(await app.database.prisma.account.findMany()).toMatchObject([
    { companyName: "Harbour & Sons", features: ["container_route", "rail_deadlines"] },
  ]);
  expect(await app.database.prisma.user.findMany()).toMatchObject([{ emailProvenAt: expect.any(Date) }]);
  expect(app.log()).not.toContain(chosen);
});

test("creates one account when two setups are submitted at the same time", async () => {
  await Promise.all([setUp({ email: "one@example.test" }), setUp({ email: "two@example.test" })]);
  expect(await app.database.prisma.account.count()).toBe(1);
  expect(await app.database.prisma.user.count()).toBe(1);
});

test.each([
  ["code", { code: "wrong" }],
  ["code", { code: "" }],
  ["companyName", { companyName: " " }],
  ["email", { email: "nonsense" }],
  ["password", { password: "short", again: "short" }],
  ["again", { again: "another one" }],
])("shows the problem with %s at its field and creates nothing: %j", async (name, form) => {
  const response = await setUp(form);
  expect(response.status).toBe(422);
  const page = await response.text();
  expect(page).toContain(`id="${name}-problem"`);
  if (name !== "companyName") expect(page).toContain('value="Harbour &amp; Sons"');
  expect(page).not.toContain(chosen);
  expect(await app.database.prisma.account.count()).toBe(0);
});

test("rejects a setup form of another site", async () => {
  expect((await setUp({}, {})).status).toBe(403);
  expect((await setUp({}, { origin: "https://evil.example" })).status).toBe(403);
  expect(await app.database.prisma.account.count()).toBe(0);
});

test("redirects to the login when there is an account", async () => {
  await app.addAccount();
  const other = await startTestWeb();
  await other.addAccount();
  expect((await other.request("/setup")).headers.get("location")).toBe("/login");
  await other.close();
});

test("creates the first owner of the environment at startup, without a setup page", async () => {
  const ready = await startTestWeb({ firstOwner: owner });
  try {
    await eventually("the account is there", async () => (await ready.database.prisma.account.count()) === 1);
    expect((await ready.request("/setup")).headers.get("location")).toBe("/login");
    const { email, password } = owner;
    const response = await ready.request("/login", { form: { email, password } });
    expect(response.headers.get("location")).toBe("/shipments");
    expect(ready.log()).toContain("setup.done");
    expect(ready.log()).not.toContain("setup.waiting");
    expect(ready.log()).not.toContain(password);
  } finally {
    await ready.close();
  }
});

test("ignores the first owner of the environment when there is an account", async () => {
  const before = await app.addAccount();
  const again = await startTestWeb({ database: app, firstOwner: owner });
  try {
    expect((await again.request("/setup")).headers.get("location")).toBe("/login");
    const users = await app.database.prisma.user.findMany();
    expect(users.map(({ email }) => email)).toEqual([before.email]);
  } finally {
    await again.close();
  }
});
