import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";

const path = "/developers/tokens";

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const idIn = async (page: Response) => /name="id" value="([^"]*)"/.exec(await page.text())?.[1] ?? "";
const tokenIn = (text: string) => /svc_live_[0-9a-f]{40}/.exec(text)?.[0] ?? "";
const statusWith = async (token: string) =>
  (await app.request("/shipments", { headers: { authorization: `Token ${token}` } })).status;

async function createToken(name: string, rest: Readonly<Record<string, string>> = {}) {
  const id = await idIn(await visitor.get(`${path}/new`));
  const answer = await visitor.post(path, { id, name, scope: "write", lifetime: "never", ...rest });
  return { id, answer, text: await answer.text() };
}

describe("API tokens in the dashboard", () => {
  test("a token is made there, shown once, and opens the account [spec: authentication.4]", async () => {
    const { id, answer, text } = await createToken("Warehouse");
    const token = tokenIn(text);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await statusWith(token)).toBe(200);
    expect(text).toContain("API token created</p>");
    expect(text).toContain(`curl http://localhost:4000/v2/shipments -H &quot;Authorization: Token ${token}&quot;`);
    expect(text.match(/<button[^>]*data-copies="token-(?:curl|mcp)"/g)).toHaveLength(2);
    expect(text).toContain(`shipments http://localhost:4001/mcp --header &quot;Authorization: Bearer ${token}&quot;`);
    const list = await (await visitor.get(path)).text();
    expect(list).toContain("Warehouse");
    expect(list).toContain(`svc_live_…${token.slice(-4)}`);
    expect(list).toContain(`by ${account.email}`);
    expect(list).not.toContain(token);
    const stored = await app.database.prisma.apiToken.findUniqueOrThrow({ where: { id } });
    expect(stored).toMatchObject({ accountId: account.id, scopes: ["read", "write"], expiresAt: null });
    expect(Buffer.from(stored.tokenSha256)).toEqual(createHash("sha256").update(token).digest());
  });

  test("offers the first action to a user without tokens, also as an API request", async () => {
    const newcomer = await app.visit(await app.addAccount());
    await app.database.prisma.apiToken.deleteMany({ where: { name: "test", accountId: { not: account.id } } });
    const page = await (await newcomer.get(path)).text();
    expect(page).toContain(`<a class="button" href="${path}/new">Create API token</a>`);
    expect(page).toContain("curl -g &quot;http://localhost:4000/v2/shipments&quot;");
    expect(page).toContain('data-copies="first-call"');
  });

  test("a form that is submitted twice, also at once, creates one token and shows it both times", async () => {
    const id = await idIn(await visitor.get(`${path}/new`));
    const form = { id, name: "Double click", scope: "write", lifetime: "never" };
    const posted = await Promise.all([visitor.post(path, form), visitor.post(path, form)]);
    const texts = await Promise.all([...posted, await visitor.post(path, form)].map((answer) => answer.text()));
    const [token = "", ...others] = texts.map(tokenIn);
    expect(await statusWith(token)).toBe(200);
    expect(others).toEqual([token, token]);
    expect(await app.database.prisma.apiToken.count({ where: { name: form.name } })).toBe(1);
    const stored = await app.database.prisma.idempotencyKey.findFirstOrThrow({ where: { accountId: account.id } });
    expect(Buffer.from(stored.sealedBody ?? []).includes(token)).toBe(false);
    await visitor.post(`${path}/${id}/revoke`, {});
    const afterRevocation = await visitor.post(path, form);
    expect([afterRevocation.status, afterRevocation.headers.get("location")]).toEqual([303, `${path}?done=made`]);
  });

  test("the id of another form creates no second token and shows no secret", async () => {
    const { id } = await createToken("Once");
    const again = await visitor.post(path, { id, name: "Twice", scope: "write", lifetime: "never" });
    expect(again.status).toBe(303);
    expect(again.headers.get("location")).toBe(`${path}?done=made`);
    expect(await app.database.prisma.apiToken.count({ where: { name: { in: ["Once", "Twice"] } } })).toBe(1);
  });

  test("a new token reads only and expires in a year, unless more is chosen", async () => {
    const form = await (await visitor.get(`${path}/new`)).text();
    expect(form).toMatch(/name="scope" value="read" checked/);
    expect(form).toMatch(/value="365" selected/);
    const { id } = await createToken("Scopeless", { scope: "" });
    const { scopes } = await app.database.prisma.apiToken.findUniqueOrThrow({ where: { id } });
    expect(scopes).toEqual(["read"]);
  });

  test("creates a read-only token, and one that expires", async () => {
    const { id } = await createToken("Report", { scope: "read", lifetime: "30" });
    const { scopes, expiresAt } = await app.database.prisma.apiToken.findUniqueOrThrow({ where: { id } });
    expect(scopes).toEqual(["read"]);
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    expect(await (await visitor.get(path)).text()).toMatch(/in (29|30) days/);
  });

  test("shows a problem at its field, and keeps the typed values", async () => {
    const { answer, text } = await createToken("  ", { scope: "read", lifetime: "90" });
    expect(answer.status).toBe(422);
    expect(text).toMatch(/<input id="name"[^>]*aria-invalid="true" aria-describedby="name-hint name-problem"/);
    expect(text).toContain("Enter a name for the token.");
    expect(text).toContain('value="read" checked');
    expect(text).toContain('value="90" selected');
    expect((await createToken("x".repeat(101))).text).toContain("At most 100 characters.");
    expect((await createToken("x", { lifetime: "1000" })).text).toContain("Choose when it expires.");
    expect((await createToken("x", { id: "1" })).answer.status).toBe(422);
  });

  test("revokes a token after a confirmation; it is rejected within a second", async () => {
    const { id, text } = await createToken("Old <b>scanner</b>");
    const question = await (await visitor.get(`${path}/${id}/revoke`)).text();
    expect(question).toContain("Revoke “Old &lt;b&gt;scanner&lt;/b&gt;”?");
    expect(await statusWith(tokenIn(text))).toBe(200);
    const response = await visitor.post(`${path}/${id}/revoke`, {});
    expect(response.headers.get("location")).toBe(`${path}?done=revoked`);
    await eventually("the token is refused", async () => (await statusWith(tokenIn(text))) === 401, 2_000);
    expect(await (await visitor.get(path)).text()).not.toContain("Old &lt;b&gt;");
    expect((await visitor.get(`${path}/${id}/revoke`)).status).toBe(404);
  });
});

describe("the tokens of others", () => {
  test("are not seen, not revoked, and their ids not taken", async () => {
    const { id, text } = await createToken("Secret plan");
    const otherVisitor = await app.visit(await app.addAccount());
    expect(await (await otherVisitor.get(path)).text()).not.toContain("Secret plan");
    expect((await otherVisitor.get(`${path}/${id}/revoke`)).status).toBe(404);
    expect((await otherVisitor.post(`${path}/${id}/revoke`, {})).status).toBe(404);
    const otherResponse = await otherVisitor.post(path, { id, name: "Mine", scope: "write", lifetime: "never" });
    expect(otherResponse.status).toBe(303);
    expect(await statusWith(tokenIn(text))).toBe(200);
  });

  test.each([`${path}`, `${path}/new`, `${path}/${uuidV7.next()}/revoke`, "/developers"])(
    "%s is for signed-in users",
    async (address) => {
      const response = await app.request(address);
      expect(response.headers.get("location")).toBe(`/login?next=${encodeURIComponent(address)}`);
      const program = await app.request(address, { headers: { authorization: `Token ${account.token}` } });
      expect(program.status).toBe(403);
    },
  );

  test("rejects forms of other sites and forms without an origin", async () => {
    const form = { id: uuidV7.next(), name: "Forged", scope: "write", lifetime: "never" };
    const forged: Record<string, string>[] = [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site", origin: app.url },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of forged) expect((await visitor.post(path, form, headers)).status).toBe(403);
    expect(await app.database.prisma.apiToken.count({ where: { name: "Forged" } })).toBe(0);
    expect((await visitor.post(path, form, { "sec-fetch-site": "same-origin" })).status).toBe(201);
  });

  test("a form of a session that is over makes nothing", async () => {
    const { cookie, post } = await app.visit(account);
    await app.request("/logout", { method: "POST", headers: { cookie } });
    const response = await post(path, { id: uuidV7.next(), name: "Late", scope: "write", lifetime: "never" });
    expect(response.status).toBe(401);
    expect(await app.database.prisma.apiToken.count({ where: { name: "Late" } })).toBe(0);
  });
});
