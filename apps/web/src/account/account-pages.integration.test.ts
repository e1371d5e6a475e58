import { describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { hashPassword } from "@svc/persistence/sessions";
import { started, startedEach } from "@svc/testkit/started";
import { password, startTestWeb, type Visitor } from "../testing/start-test-web.ts";

const members = "/account/members";
const chosen = "paper boat morning";

const app = started(startTestWeb);
const account = startedEach(() => app.addAccount());
const owner = startedEach(() => app.visit(account));

const textOf = async (address: string, by = owner) => (await by.get(address)).text();
const newEmail = () => `${uuidV7.next()}@example.test`;
const isLoggedIn = async ({ cookie }: { cookie: string }) =>
  (await app.request("/account/sessions", { headers: { cookie } })).status === 200;

async function invite(email: string, role: string = "developer", by = owner): Promise<string> {
  const response = await by.post(`${members}/invite`, { email, role });
  expect(response.status).toBe(201);
  return /\/join\/[\w-]{43}/.exec(await response.text())?.[0] ?? "";
}

const join = (link: string, form: Record<string, string> = { password: chosen, again: chosen }) =>
  app.request(link, { form, headers: { origin: app.url } });

/** Opens an invitation link, chooses a password and returns the session. */
async function joined(email: string, role?: string): Promise<Visitor> {
  const response = await join(await invite(email, role));
  expect(response.status).toBe(303);
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return {
    cookie,
    get: (path) => app.request(path, { headers: { cookie } }),
    post: (path, form) => app.request(path, { form: form as never, headers: { cookie, origin: app.url } }),
  };
}

describe("members of an account", () => {
  test("an invited user chooses a password with a link that is shown once and is signed in", async () => {
    const email = newEmail();
    const link = await invite(email);
    expect(await textOf(members)).toContain(email);
    expect(await textOf(members)).not.toContain(link);
    expect(await (await app.request(link)).text()).toContain("Join Harbour &amp; Sons");
    const response = await join(link);
    expect(response.headers.get("location")).toBe("/shipments");
    expect(await textOf(members)).toMatch(new RegExp(`${email}[\\s\\S]*Developer`));
    const login = await app.request("/login", { form: { email, password: chosen } });
    expect(login.status).toBe(303);
  });

  test("a link works once, and not after it is withdrawn, replaced or expired", async () => {
    const email = newEmail();
    const used = await invite(email);
    expect((await Promise.all([join(used), join(used)])).map(({ status }) => status).sort()[0]).toBe(303);
    expect((await app.request(used)).status).toBe(404);
    const [first, second] = [newEmail(), newEmail()];
    const withdrawn = await invite(first);
    const { id } = await app.database.prisma.invitation.findFirstOrThrow({ where: { email: first } });
    expect((await owner.post(`/account/invitations/${id}/withdraw`, {})).status).toBe(303);
    const replaced = await invite(second);
    const over = await invite(second);
    await app.database.prisma.invitation.updateMany({ where: { email: second }, data: { expiresAt: new Date(0) } });
    for (const link of [withdrawn, replaced, over, `/join/${"x".repeat(43)}`, "/join/x"]) {
      expect((await app.request(link)).status).toBe(404);
      expect((await join(link)).status).toBe(404);
    }
    expect(await app.database.prisma.user.count({ where: { email: { in: [email, first, second] } } })).toBe(1);
  });

  test("the secret of a link is not stored", async () => {
    const email = newEmail();
    const secret = (await invite(email)).slice("/join/".length);
    const { tokenSha256 } = await app.database.prisma.invitation.findFirstOrThrow({ where: { email } });
    expect(Buffer.from(tokenSha256)).not.toEqual(Buffer.from(secret, "base64url"));
  });

  test.each([
    [{ password: "short", again: "short" }, "password-problem"],
    [{ password: chosen, again: "another one" }, "again-problem"],
    [{}, "password-problem"],
  ])("a password that will not do is refused: %j", async (form, place) => {
    const response = await join(await invite(newEmail()), form);
    expect(response.status).toBe(422);
    const page = await response.text();
    expect(page).toContain(place);
    expect(page).not.toContain(chosen);
  });

  test("a link does not change the password of an existing user, and makes them no member without a sign-in", async () => {
    const other = await app.addAccount();
    const link = await invite(other.email.toUpperCase());
    const response = await join(link);
    expect([response.status, response.headers.get("location")]).toEqual([303, link]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await app.request("/login", { form: { email: other.email, password } })).status).toBe(303);
    expect(await app.database.prisma.membership.count({ where: { userId: other.userId } })).toBe(1);
  });

  test("the members come first, and the form to invite has a page of its own", async () => {
    const page = await textOf(members);
    expect(page).toContain(`<a class="button" href="${members}/invite">Invite member</a>`);
    expect(page).not.toContain('name="email"');
    expect(page).toContain("The only owner: make another member owner to change this");
    const form = await textOf(`${members}/invite`);
    expect(form).toContain('name="email"');
    expect(form).toContain("share links, own alerts and EDI files");
    expect(form).toContain("alerts to channels, mailboxes and other members, and reads the audit log");
  });

  test("rejects an invalid email address and that of a member, at the field", async () => {
    for (const [email, problem] of [
      ["nonsense", "Enter an email address."],
      [account.email.toUpperCase(), "This user is a member already."],
    ] as const) {
      const response = await owner.post(`${members}/invite`, { email, role: "owner" });
      expect(response.status).toBe(422);
      const page = await response.text();
      expect(page).toContain(problem);
      expect(page).toContain(`value="${email}"`);
      expect(page).toContain('value="owner" checked');
    }
  });

  test("ends all sessions of a removed member, who can be invited again", async () => {
    const email = newEmail();
    const member = await joined(email);
    expect(await isLoggedIn(member)).toBe(true);
    const { id } = await app.database.prisma.user.findFirstOrThrow({ where: { email } });
    expect(await textOf(`${members}/${id}/remove`)).toContain(`Remove ${email}?`);
    const response = await owner.post(`${members}/${id}/remove`, {});
    expect(response.headers.get("location")).toBe(`${members}?done=removed`);
    expect(await isLoggedIn(member)).toBe(false);
    expect((await app.request("/login", { form: { email, password: chosen } })).status).toBe(401);
    expect(await isLoggedIn(await joined(email))).toBe(true);
  });

  test("keeps the last owner, also when two owners remove each other at the same time", async () => {
    const alone = await owner.post(`${members}/${account.userId}/remove`, {});
    expect(alone.status).toBe(409);
    expect(await alone.text()).toContain("This is the last owner.");
    const email = newEmail();
    const second = await joined(email, "owner");
    const { id } = await app.database.prisma.user.findFirstOrThrow({ where: { email } });
    await Promise.all([
      owner.post(`${members}/${id}/remove`, {}),
      second.post(`${members}/${account.userId}/remove`, {}),
    ]);
    expect(await app.database.prisma.membership.count({ where: { accountId: account.id, role: "owner" } })).toBe(1);
  });

  test("a member sees the other members, and can neither invite nor remove them", async () => {
    const member = await joined(newEmail());
    const page = await textOf(members, member);
    expect(page).toContain(account.email);
    expect(page).not.toContain("Invite member");
    expect((await member.get(`${members}/invite`)).status).toBe(403);
    expect((await member.post(`${members}/invite`, { email: newEmail(), role: "owner" })).status).toBe(403);
    expect((await member.get(`${members}/${account.userId}/remove`)).status).toBe(403);
    expect((await member.post(`${members}/${account.userId}/remove`, {})).status).toBe(403);
    expect(await isLoggedIn(owner)).toBe(true);
  });

  test("members and invitations of another account cannot be seen or changed", async () => {
    const invited = newEmail();
    const link = await invite(invited);
    const { id } = await app.database.prisma.invitation.findFirstOrThrow({ where: { email: invited } });
    const otherVisitor = await app.visit(await app.addAccount());
    const page = await textOf(members, otherVisitor);
    expect(page).not.toContain(account.email);
    expect(page).not.toContain(invited);
    expect((await otherVisitor.get(`${members}/${account.userId}/remove`)).status).toBe(404);
    expect((await otherVisitor.post(`${members}/${account.userId}/remove`, {})).status).toBe(404);
    await otherVisitor.post(`/account/invitations/${id}/withdraw`, {});
    expect((await app.request(link)).status).toBe(200);
  });
});

describe("sessions of a user", () => {
  const endOf = async (by: Visitor, index: number) =>
    [...(await textOf("/account/sessions", by)).matchAll(/action="(\/account\/sessions\/[0-9a-f]{64}\/end)"/g)][
      index
    ]?.[1] ?? "";

  test("are listed, and one is ended", async () => {
    const other = await app.visit(account);
    expect((await textOf("/account/sessions", other)).match(/aria-label="Sign out /g)).toHaveLength(2);
    // The latest session is first, so the second one is the owner's.
    await other.post(await endOf(other, 1), {});
    expect([await isLoggedIn(owner), await isLoggedIn(other)]).toEqual([false, true]);
  });

  test("all end at once", async () => {
    const other = await app.visit(account);
    const response = await other.post("/account/sessions/end-all", {});
    expect(response.headers.get("location")).toBe("/login");
    expect(response.headers.getSetCookie()[0]).toMatch(/^svc_session=;/);
    expect([await isLoggedIn(owner), await isLoggedIn(other)]).toEqual([false, false]);
  });

  test("a user cannot end the sessions of another user", async () => {
    const otherVisitor = await app.visit(await app.addAccount());
    await otherVisitor.post(await endOf(owner, 0), {});
    await otherVisitor.post("/account/sessions/nonsense/end", {});
    await otherVisitor.post("/account/sessions/end-all", {});
    expect(await isLoggedIn(owner)).toBe(true);
  });
});

describe("the password", () => {
  const change = (form: Record<string, string>) =>
    owner.post("/account/password", { present: password, password: chosen, again: chosen, ...form });

  test("is changed with the current one, and other sessions end", async () => {
    const other = await app.visit(account);
    const response = await change({});
    expect(response.headers.get("location")).toBe("/account/password?done=changed");
    expect([await isLoggedIn(owner), await isLoggedIn(other)]).toEqual([true, false]);
    const logIn = async (text: string) =>
      (await app.request("/login", { form: { email: account.email, password: text } })).status;
    expect([await logIn(password), await logIn(chosen)]).toEqual([401, 303]);
  });

  test.each([
    [{ present: "wrong" }, "present-problem"],
    [{ password: "short", again: "short" }, "password-problem"],
    [{ again: "other" }, "again-problem"],
  ])("is not changed by %j", async (form, place) => {
    const response = await change(form);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(place);
    expect((await app.request("/login", { form: { email: account.email, password } })).status).toBe(303);
  });

  test("cannot be guessed with a stolen session", async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) statuses.push((await change({ present: "wrong" })).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await change({})).status).toBe(429);
  });
});

test("rejects forms of another site", async () => {
  const forms = [
    `${members}/invite`,
    `${members}/${account.userId}/remove`,
    "/account/sessions/end-all",
    "/account/password",
  ];
  for (const path of forms) {
    for (const headers of [{}, { origin: "https://evil.example" }] as Record<string, string>[]) {
      expect((await owner.post(path, { email: newEmail() }, headers)).status).toBe(403);
    }
  }
  const link = await invite(newEmail());
  expect((await app.request(link, { form: { password: chosen, again: chosen } })).status).toBe(403);
  expect(await isLoggedIn(owner)).toBe(true);
});

test("an invitation hashes the password with the same parameters as every other password", async () => {
  const email = newEmail();
  await joined(email);
  const { passwordHash } = await app.database.prisma.user.findFirstOrThrow({ where: { email } });
  expect(passwordHash.split("$").slice(0, 4)).toEqual((await hashPassword("x")).split("$").slice(0, 4));
});
