import { describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(startTestWeb);

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const pages = ["/developers", "/developers/tokens", "/developers/tokens/new", "/developers/mcp", "/account/members"];

describe("the pages of the dashboard", () => {
  test.each(pages)("%s cannot be framed or cached, and runs no inline script", async (path) => {
    const { headers } = await visitor.get(path);
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|nonce|data:|\*/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  test.each(pages)("%s has no inline script or style", async (path) => {
    const text = await (await visitor.get(path)).text();
    expect(text).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style| style="| on\w+="/);
  });

  test.each(["/developers/tokens", "/account/members", "/developers/inbox"])(
    "%s ignores an unknown word in its address, also the name of an object member",
    async (path) => {
      for (const done of ["__proto__", "constructor", "toString", "nonsense"]) {
        const response = await visitor.get(`${path}?done=${done}`);
        expect([done, response.status]).toEqual([done, 200]);
        expect(await response.text()).not.toContain('class="notice');
      }
    },
  );

  test("rejects a changed, truncated or invented cookie on pages and forms", async () => {
    const { cookie } = visitor;
    const [name = "", value = ""] = cookie.split("=");
    const last = value.at(-1) === "A" ? "B" : "A";
    const wrong = [
      `${name}=${value.slice(0, -1)}${last}`,
      `${name}=${value}x`,
      `${name}=`,
      `${name}=${"A".repeat(43)}`,
    ];
    for (const forged of wrong) {
      for (const path of pages) {
        const response = await app.request(path, { headers: { cookie: forged } });
        expect(response.headers.get("location")).toBe(`/login?next=${encodeURIComponent(path)}`);
      }
      const reply = await app.request("/account/sessions/end-all", {
        form: {},
        headers: { cookie: forged, origin: app.url },
      });
      const markup = await reply.text();
      expect([reply.status, visibleText(markup)]).toEqual([401, expect.stringContaining("Nothing was saved")]);
      expect(markup).toContain('href="/login?next=%2Faccount%2Fsessions"');
    }
    expect((await visitor.get("/developers")).status).toBe(200);
  });

  test("ignores a cookie with another name", async () => {
    const value = visitor.cookie.split("=")[1] ?? "";
    const response = await app.request("/developers", { headers: { cookie: `__Host-svc_session=${value}` } });
    expect(response.status).toBe(302);
  });

  test("a removed member can neither see nor change anything", async () => {
    const left = await app.addAccount();
    const former = await app.visit(left);
    await app.database.prisma.membership.deleteMany({ where: { accountId: left.id } });
    expect((await former.get("/developers/tokens")).status).toBe(302);
    const form = { id: "01890000-0000-7000-8000-000000000000", name: "x", scope: "write", lifetime: "never" };
    expect((await former.post("/developers/tokens", form)).status).toBe(401);
    expect(await app.database.prisma.apiToken.count({ where: { accountId: left.id } })).toBe(1);
  });

  test("keeps what was entered when the session has ended, but no secret", async () => {
    const another = await app.addAccount();
    const other = await app.visit(another);
    await app.database.prisma.userSession.deleteMany({ where: { accountId: another.id } });
    const response = await other.post("/account/display?x=1", { order: ["a", "<b>"], note: 'said "yes"' });
    expect([response.status, response.headers.get("cache-control")]).toEqual([401, "no-store"]);
    const page = await response.text();
    expect(page).toMatch(/<form method="post" action="\/account\/display\?x=1">/);
    for (const field of ['order" value="a"', 'order" value="&lt;b&gt;"', 'note" value="said &quot;yes&quot;"'])
      expect(page).toContain(`<input type="hidden" name="${field}>`);
    const secret = await (await other.post("/account/password", { current_password: "hunter2", note: "x" })).text();
    expect(visibleText(secret)).toContain("enter it again");
    expect(secret).not.toMatch(/hunter2|<form method="post" action="\/account/);
  });

  test("rejects a form that is too large or malformed", async () => {
    const response = await visitor.post("/developers/tokens", { name: "x".repeat(200_000) });
    expect(response.status).toBe(413);
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field${index}`, "x"]));
    expect((await visitor.post("/developers/tokens", many)).status).toBe(413);
    const odd = { __proto__: "x", "name[toString]": "x", scope: ["write", "read"] };
    expect((await visitor.post("/developers/tokens", odd)).status).toBe(422);
    const id = "01890000-0000-7000-8000-000000000001";
    const nul = { id, name: "before\0after", scope: "write", lifetime: "never" };
    expect((await visitor.post("/developers/tokens", nul)).status).toBe(400);
  });

  test("logs no tokens, cookies, passwords or invitation links", async () => {
    const id = /name="id" value="([^"]*)"/.exec(await (await visitor.get("/developers/tokens/new")).text())?.[1] ?? "";
    const created = await visitor.post("/developers/tokens", { id, name: "Logged", scope: "write", lifetime: "never" });
    const token = /svc_live_[0-9a-f]{40}/.exec(await created.text())?.[0] ?? "";
    const invited = await visitor.post("/account/members/invite", { email: "eve@example.test", role: "developer" });
    const link = /\/join\/([\w-]{43})/.exec(await invited.text())?.[1] ?? "";
    await (await app.request(`/join/${link}`)).text();
    await eventually("the last request is logged", () => app.log().includes("/join/:secret"));
    const secrets = [token, link, visitor.cookie.split("=")[1] ?? "", "kite harbour lamp"];
    const log = app.log();
    expect(log).toContain("/join/:secret");
    for (const secret of secrets) {
      expect(secret).not.toBe("");
      expect(log).not.toContain(secret);
    }
  });
});
